# promises.awk: what variants of VPS promise of contact and keep, summed up over all scenarios of a run in which they were
# asked: true and false answers, and broken promises.
END { print_promises("^vps", "^contact$") }
