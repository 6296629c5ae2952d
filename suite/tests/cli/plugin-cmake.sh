# needs-command: cmake
# check-all: it builds a project with CMake; plugin builds the same library without it
# A plug-in that is built with CMake and the installed package.
install_to "$PWD/root"
cp -R "$root/examples" .
cmake -S examples/cmake -B built -DCMAKE_PREFIX_PATH="$PWD/root" >configured.txt 2>&1 || cat configured.txt
cmake --build built >built.txt 2>&1 || cat built.txt
(cd built && ctest 2>&1) | grep -o '100% tests passed.*'
proxbench=$PWD/root/bin/proxbench
"$proxbench" list algorithms --plugin built/libspheres.so --format csv | grep -c '^spheres,'
sed -i 's/find_package(proxbench 0.1/find_package(proxbench 99/' examples/cmake/CMakeLists.txt
cmake -S examples/cmake -B newer -DCMAKE_PREFIX_PATH="$PWD/root" 2>&1 | grep -o 'requested version "99"'
