/** The reasons why the statements of docs/contract.md with these IDs have no test. */
export const UNTESTED: Readonly<
  Record<string, Readonly<Record<string, string>>>
> = {
  /** What the vendor sells, bills and permits. */
  plan: {
    "management-48": "how long the public service keeps events",
    "management-200": "which plans had signatures",
  },
  /** Internal behaviour of the public service. */
  inside: {
    "agent-32": "the public service ends its own work after 10 s",
  },
  /** Actions in the vendor's dashboard. */
  dashboard: {
    "management-4": "the vendor's dashboard makes management keys",
  },
  /** Older versions, other clients, and dates of publication. */
  history: {
    "management-21": "devid's own reading of empty bodies is management-20",
    "management-37": "how the vendor's Go client reads a list",
    "management-41": "which page the defaults were read from",
    "management-49": "where the operation was found",
    "management-70": "how published examples spell fields",
    "management-73": "no source names what replaces the list",
    "management-111": "an older guide had a button",
    "management-183": "the form of an older version, which the service refuses",
    "events-102": "what was published besides",
    "agent-14": "what the published agent does instead",
    "agent-25": "what the published types demand",
  },
  /** Advice to people, which changes no answer. */
  advice: {
    "agent-45": "which errors a page should not answer with another try",
    "sealed-4": "in which order to switch sealing on",
  },
  /** Calls that devid neither makes nor serves. */
  unused: {
    "management-46": "devid neither manages nor serves certificates",
    "events-129": "what it does; that devid lacks it is events-130",
  },
  /** Another statement with a test says the same. */
  elsewhere: {
    "management-47": "limits-7 says the same",
  },
};
