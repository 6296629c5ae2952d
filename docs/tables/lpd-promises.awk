# lpd-promises.awk: what local penetration depths promise and keep, summed up over all scenarios of a run in which they were asked: true and
# false answers of contact, and broken promises; depths and forces are answered, whatever the meshes are.
END { print_promises("^lpd", ".") }
