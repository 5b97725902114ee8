/** Lets a page of any origin read an answer. */
export const PAGE_HEADERS = { "access-control-allow-origin": "*" };

/** Lets a page of any origin send JSON by these methods; browsers ask again after a day. */
export function preflightHeaders(
  methods: readonly string[],
): Record<string, string> {
  return {
    "access-control-allow-methods": methods.join(", "),
    "access-control-allow-headers": "content-type",
    // Asked for by browsers when a public page calls this machine.
    "access-control-allow-private-network": "true",
    "access-control-max-age": "86400",
  };
}
