/** Waits until somebody wants this program to end: Ctrl-C, or a kill. */
export function stopped(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
}
