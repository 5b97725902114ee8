import { isIPv4 } from "node:net";

/** Whether a host, as written in a URL or a `--host` option, can only be this machine. */
export function isLoopback(host: string): boolean {
  return (
    host === "localhost" ||
    host === "::1" ||
    host === "[::1]" ||
    (isIPv4(host) && host.startsWith("127."))
  );
}
