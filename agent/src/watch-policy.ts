/** Tells whether the page's Content-Security-Policy keeps the agent from an address. */
export interface PolicyWatch {
  /** Whether it has done so since the watch began. */
  hasBlocked(): Promise<boolean>;
  end(): void;
}

/** Watches for blocked connections to an address. */
export function watchPolicy(address: string): PolicyWatch {
  let isBlocked = false;
  const note = (event: SecurityPolicyViolationEvent) => {
    isBlocked ||=
      event.disposition === "enforce" &&
      event.effectiveDirective === "connect-src" &&
      event.blockedURI !== "" &&
      address.startsWith(event.blockedURI);
  };
  document.addEventListener("securitypolicyviolation", note);
  return {
    hasBlocked: async () => {
      // The event comes in a task of its own, after the failure of the request.
      await new Promise((resolve) => setTimeout(resolve));
      return isBlocked;
    },
    end: () => document.removeEventListener("securitypolicyviolation", note),
  };
}
