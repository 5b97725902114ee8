/** The reason why a statement cannot have a test on this machine. */
type KindOfUntested =
  /** What the vendor sells, bills and permits. */
  | "plan"
  /** Internal behaviour of the public service. */
  | "inside"
  /** Actions in the vendor's dashboard. */
  | "dashboard"
  /** Older versions, other clients, and dates of publication. */
  | "history"
  /** Advice to people, which changes no answer. */
  | "advice"
  /** Calls that devid neither makes nor serves. */
  | "unused"
  /** Another statement with a test says the same. */
  | "elsewhere";

/** The statements of docs/contract.md that have no test: ID, kind, reason. */
export const UNTESTED: readonly (readonly [string, KindOfUntested, string])[] =
  [
    [
      "management-4",
      "dashboard",
      "the vendor's dashboard makes management keys",
    ],
    [
      "management-21",
      "history",
      "devid's own reading of empty bodies is management-20",
    ],
    ["management-37", "history", "how the vendor's Go client reads a list"],
    ["management-41", "history", "which page the defaults were read from"],
    [
      "management-46",
      "unused",
      "devid neither manages nor serves certificates",
    ],
    ["management-47", "elsewhere", "limits-7 says the same"],
    ["management-48", "plan", "how long the public service keeps events"],
    ["management-49", "history", "where the operation was found"],
    ["management-70", "history", "how published examples spell fields"],
    ["management-73", "history", "no source names what replaces the list"],
    ["management-111", "history", "an older guide had a button"],
    [
      "management-183",
      "history",
      "the form of an older version, which the service refuses",
    ],
    ["management-200", "plan", "which plans had signatures"],
    ["events-102", "history", "what was published besides"],
    ["events-129", "unused", "what it does; that devid lacks it is events-130"],
    ["agent-14", "history", "what the published agent does instead"],
    ["agent-25", "history", "what the published types demand"],
    ["agent-32", "inside", "the public service ends its own work after 10 s"],
    [
      "agent-45",
      "advice",
      "which errors a page should not answer with another try",
    ],
    ["sealed-4", "advice", "in which order to switch sealing on"],
  ];
