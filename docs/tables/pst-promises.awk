# pst-promises.awk: the same (promises.awk) of point-sphere trees, which also promise distances and brackets of them.
END { print_promises("^pst", "^(distance|contact)$") }
