// Runs at the start of a provider host that a test starts. On SIGUSR2, the host
// writes a line to standard error. When a test has read that line, it has also
// read everything that the host wrote before.
process.on("SIGUSR2", () => process.stderr.write("(end of output)\n"));
