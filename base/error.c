#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

base_status base_fail(base_error *err, base_status status, const char *format, ...)
{
    if (!err) {
        return status;
    }
    err->status = status;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(err->text, sizeof err->text, format, arguments);
    va_end(arguments);
    if (length < 0) {
        err->text[0] = '\0';
    }
    /* A file name or a cell may contain any bytes; the message must stay one line on a terminal. */
    for (char *c = err->text; *c != '\0'; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) {
            *c = '?';
        }
    }
    return status;
}
