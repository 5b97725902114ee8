import { existsSync, statSync } from "node:fs";

/** Base of every error that this package throws on purpose. */
export abstract class ServiceError extends Error {
  abstract override readonly name: string;
}

/** The service could not start. The message says what to do about it. */
export class StartError extends ServiceError {
  readonly name = "StartError";
}

/** Throws StartError if a path is a folder, a device, a pipe or a socket. A missing file is accepted. */
export function refuseOtherThanFile(title: string, path: string): void {
  // Below a file there is nothing, and looking there is an error.
  const found = existsSync(path) ? statSync(path) : undefined;
  if (!found || found.isFile()) return;
  throw new StartError(
    found.isDirectory()
      ? `${title} ${path} is a folder. Name a file in it.`
      : `${title} ${path} is a device, a pipe or a socket. Name a plain file.`,
  );
}
