/** Waits for Ctrl-C (SIGINT) or SIGTERM. */
export function stopped(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
}
