#include "base/file.h"
#include "base/memory.h"
#include "base/tests/support.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** Makes a new folder; base_folder_remove removes it. */
static void make_scratch(char path[64])
{
    strcpy(path, "/tmp/proxbench-file-XXXXXX");
    cr_assert_not_null(mkdtemp(path));
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

Test(file, a_written_file_is_read_back)
{
    char folder[64], path[128];
    make_scratch(folder);
    assert_ok(base_path_join(folder, "bytes", ".bin", path, sizeof path, ERR));
    static const size_t sizes[] = {0, 1, 4095, 65536, 200001};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        SCOPED_FREE char *const written = base_alloc(sizes[i], 1);
        memset(written, 'x', sizes[i]);
        assert_ok(base_file_replace(path, written, sizes[i], ERR));
        char *bytes;
        size_t size;
        assert_ok(base_file_read(path, &bytes, &size, ERR));
        cr_assert_eq(size, sizes[i]);
        cr_assert_eq(memcmp(bytes, written, size), 0, "size %zu", size);
        cr_assert_eq(bytes[size], '\0', "size %zu: no NUL behind", size);
        base_free(bytes);
    }
    base_folder_remove(folder);
    cr_assert(!is_there(folder), "a temporary file was left");
}

Test(file, a_failed_output_leaves_the_old_file)
{
    char folder[64], path[128];
    make_scratch(folder);
    base_error err = {0};
    assert_ok(base_path_join(folder, "a", "", path, sizeof path, ERR));
    assert_ok(base_file_replace(path, "old", 3, ERR));
    base_output output;
    assert_ok(base_output_open(path, &output, ERR));
    fputs("half", output.file);
    cr_assert_eq(base_output_close(&output, BASE_ERR_INPUT, &err), BASE_ERR_INPUT);
    char *bytes;
    size_t size;
    assert_ok(base_file_read(path, &bytes, &size, ERR));
    cr_assert_str_eq(bytes, "old");
    base_free(bytes);
    base_folder_remove(folder);
    cr_assert(!is_there(folder), "the temporary file was left");
}

Test(file, the_half_file_of_a_killed_writer_is_removed_and_that_of_a_running_one_stays)
{
    static const char *const others[] = {"ab.1-0", "a.old", "a.1",      "a.1x0",
                                         "a.1-",   "a.-0",  "a.1-0.old"};
    char folder[64], path[128], abandoned[160], other[160], pipe[160];
    make_scratch(folder);
    assert_ok(base_path_join(folder, "a", "", path, sizeof path, ERR));
    assert_ok(base_path_join(folder, "a.1-0", ".tmp", abandoned, sizeof abandoned, ERR));
    assert_ok(base_path_join(folder, "a.2-0", ".tmp", pipe, sizeof pipe, ERR));
    fclose(fopen(abandoned, "w"));
    cr_assert_eq(mkfifo(pipe, 0600), 0);
    alarm(100); /* ends a writer that waits for a reader of the pipe */
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_ok(base_path_join(folder, others[i], ".tmp", other, sizeof other, ERR));
        fclose(fopen(other, "w"));
    }
    base_output first, second;
    assert_ok(base_output_open(path, &first, ERR));
    cr_assert(!is_there(abandoned), "a file without a writer is still there");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_ok(base_path_join(folder, others[i], ".tmp", other, sizeof other, ERR));
        cr_assert(is_there(other), "%s is not ours, and was removed", other);
    }
    assert_ok(base_output_open(path, &second, ERR));
    cr_assert(is_there(first.temporary), "the file of a running writer was removed");
    assert_ok(base_output_close(&first, BASE_OK, ERR));
    assert_ok(base_output_close(&second, BASE_OK, ERR));
    cr_assert(is_there(path));
    base_folder_remove(folder);
    cr_assert(!is_there(folder), "a temporary file was left");
}

Test(file, a_full_disk_is_an_error_and_devices_keep_their_name)
{
    base_output output;
    base_error err = {0};
    assert_ok(base_output_open("/dev/full", &output, ERR));
    fputs("lost", output.file);
    cr_assert_eq(base_output_close(&output, BASE_OK, &err), BASE_ERR_SYSTEM);
    cr_assert_not_null(strstr(err.text, "cannot write '/dev/full': "), "%s", err.text);
    cr_assert(is_there("/dev/full"));
    char *bytes;
    size_t size;
    cr_assert_eq(base_file_read("/dev/zero", &bytes, &size, &err), BASE_ERR_INPUT);
    cr_assert_null(bytes);
    cr_assert_eq(base_file_read("/tmp", &bytes, &size, &err), BASE_ERR_SYSTEM);
    cr_assert_eq(base_file_read("/no/such/file", &bytes, &size, &err), BASE_ERR_SYSTEM);
    cr_assert_not_null(strstr(err.text, "cannot open '/no/such/file': "), "%s", err.text);
}

Test(file, folders_are_made_to_any_depth)
{
    char folder[64], path[128];
    make_scratch(folder);
    base_error err = {0};
    assert_ok(base_path_join(folder, "b/c", "", path, sizeof path, ERR));
    assert_ok(base_folder_make_parents(path, ERR));
    cr_assert(!is_there(path), "the last part is a file's");
    assert_ok(base_folder_make(path, ERR));
    assert_ok(base_folder_make(path, ERR));
    char file[160], below[192];
    assert_ok(base_path_join(path, "file", "", file, sizeof file, ERR));
    assert_ok(base_file_replace(file, "", 0, ERR));
    cr_assert_eq(base_folder_make(file, &err), BASE_ERR_SYSTEM);
    assert_ok(base_path_join(file, "d", "", below, sizeof below, ERR));
    cr_assert_eq(base_folder_make(below, &err), BASE_ERR_SYSTEM);
    cr_assert_eq(base_path_join(file, "long", "", below, 8, &err), BASE_ERR_SYSTEM);
    base_folder_remove(path);
    *strrchr(path, '/') = '\0';
    base_folder_remove(path);
    base_folder_remove(folder);
    cr_assert(!is_there(folder));
}

Test(file, the_hash_is_that_of_the_bytes)
{
    char folder[64], path[128];
    make_scratch(folder);
    base_error err = {0};
    assert_ok(base_path_join(folder, "long", "", path, sizeof path, ERR));
    static char bytes[200000]; /* more than is read at once */
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (char)(i * i >> 3 & 0x7f);
    }
    assert_ok(base_file_replace(path, bytes, sizeof bytes, ERR));
    base_hash hash;
    assert_ok(base_file_hash(path, &hash, ERR));
    base_hasher *const hasher = base_hasher_create();
    base_hasher_add(hasher, bytes, sizeof bytes);
    const base_hash expected = base_hasher_finish(hasher);
    cr_assert(hash.hi == expected.hi && hash.lo == expected.lo);
    cr_assert_eq(base_file_hash(folder, &hash, &err), BASE_ERR_INPUT, "a folder has no bytes");
    base_folder_remove(folder);
    cr_assert_eq(base_file_hash(path, &hash, &err), BASE_ERR_INPUT);
}

Test(file, a_way_between_folders_leads_there)
{
    char folder[64];
    make_scratch(folder);
    base_error err = {0};
    cr_assert_eq(chdir(folder), 0);
    assert_ok(base_folder_make("runs/one/deep", ERR));
    assert_ok(base_folder_make("runs/on", ERR));
    cr_assert_eq(symlink("runs/one", "last"), 0);
    const struct {
        const char *from, *to, *way;
    } cases[] = {
        {"runs/one", ".", "./../.."},
        {"runs/one/deep", "runs/on", "./../../on"},
        {"runs/on", "runs/one", "./../one"},
        {"runs", "runs", "."},
        {".", "runs/one/deep", "./runs/one/deep"},
        {"last", ".", "./../.."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char way[4096], there[4096], expected[4096], path[8300];
        assert_ok(base_path_between(cases[i].from, cases[i].to, way, sizeof way, ERR));
        cr_assert_str_eq(way, cases[i].way, "case %zu: '%s'", i, way);
        snprintf(path, sizeof path, "%s/%s", cases[i].from, way);
        cr_assert(realpath(path, there) && realpath(cases[i].to, expected));
        cr_assert_str_eq(there, expected);
    }
    char way[4096];
    assert_ok(base_path_between("runs", "/", way, sizeof way, ERR));
    cr_assert_str_eq(way + strlen(way) - 3, "/..");
    assert_ok(base_path_between("/", "runs", way, sizeof way, ERR));
    cr_assert_eq(strncmp(way, "./", 2), 0);
    cr_assert_neq(way[2], '/');
    cr_assert_eq(base_path_between("nowhere", ".", way, sizeof way, &err), BASE_ERR_SYSTEM);
    cr_assert_eq(base_path_between("runs/one", ".", way, 4, &err), BASE_ERR_SYSTEM);
    cr_assert_eq(unlink("last"), 0);
    cr_assert_eq(rmdir("runs/one/deep") | rmdir("runs/one") | rmdir("runs/on") | rmdir("runs"), 0);
    cr_assert_eq(chdir("/"), 0);
    base_folder_remove(folder);
}
