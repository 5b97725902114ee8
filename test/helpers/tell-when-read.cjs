// Runs at the start of a provider host that a test starts. The signal makes the
// host write a line to standard error; when the line has arrived, so has everything
// that the host wrote before it.
process.on("SIGUSR2", () => process.stderr.write("(end of what was told)\n"));
