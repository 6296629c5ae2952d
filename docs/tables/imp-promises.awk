# imp-promises.awk: what implicit sphere trees promise and keep, summed up over all scenarios of a run in which they were asked: true and false
# answers of contact, and broken promises of contact, distance, volume and brackets.
END { print_promises("^imp", ".") }
