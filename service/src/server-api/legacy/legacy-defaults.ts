/** No count in the two intervals that version 3 requires. */
const NO_COUNTS = { intervals: { "5m": 0, "1h": 0 } };

/**
 * What version 3 requires and an event of version 4 may lack, each with its
 * empty or default value (docs/assumptions.md, A64). The vendor's clients for
 * version 3 fail where one is missing.
 */
export const LEGACY_DEFAULTS = {
  visit: {
    incognito: false,
    tag: {},
    url: "",
    ip: "",
    confidence: { score: 0 },
    visitorFound: false,
    firstSeenAt: { global: null, subscription: null },
    lastSeenAt: { global: null, subscription: null },
    browserDetails: {
      browserName: "",
      browserMajorVersion: "",
      browserFullVersion: "",
      os: "",
      osVersion: "",
      device: "",
      userAgent: "",
    },
  },
  identification: {
    visitorId: "",
    replayed: false,
    sdk: { platform: "unknown", version: "" },
  },
  botd: { url: "", ip: "", userAgent: "" },
  blocklist: { details: { emailSpam: false, attackSource: false } },
  vpn: {
    confidence: "low",
    originTimezone: "",
    originCountry: "unknown",
    mlScore: 0,
    methods: {
      timezoneMismatch: false,
      publicVPN: false,
      auxiliaryMobile: false,
      osMismatch: false,
      relay: false,
    },
  },
  proxy: { confidence: "low", mlScore: 0 },
  proxyDetails: { proxyType: "unknown" },
  tampering: {
    anomalyScore: 0,
    antiDetectBrowser: false,
    confidence: "low",
    mlScore: 0,
  },
  virtualMachine: { mlScore: 0 },
  address: { address: "", geolocation: {} },
  asn: { name: "", network: "" },
  datacenter: { name: "" },
  city: { name: "" },
  country: { code: "", name: "" },
  continent: { code: "", name: "" },
  subdivision: { isoCode: "", name: "" },
  velocity: {
    distinctIp: NO_COUNTS,
    distinctLinkedId: NO_COUNTS,
    distinctCountry: NO_COUNTS,
    events: NO_COUNTS,
    ipEvents: NO_COUNTS,
    distinctIpByLinkedId: NO_COUNTS,
    distinctVisitorIdByLinkedId: NO_COUNTS,
  },
  proximity: { id: "", precisionRadius: 22_500, confidence: 0 },
  label: { label: "" },
  // Signals of mobile devices appear on other requests, too.
  rootApps: { result: false },
  emulator: { result: false },
  clonedApp: { result: false },
  factoryReset: { time: new Date(0).toISOString(), timestamp: 0 },
  jailbroken: { result: false },
  frida: { result: false },
  locationSpoofing: { result: false },
  mitmAttack: { result: false },
  // Version 4 has no such signal.
  remoteControl: { result: false },
};

/** The data with a default for each member that is missing, at every level. */
export function filled<Data extends object>(
  data: Data,
  defaults: object,
): Data {
  const given = { ...data } as Record<string, unknown>;
  for (const [name, value] of Object.entries(defaults)) {
    const { [name]: member } = given;
    given[name] =
      member === undefined
        ? (value as unknown)
        : isObject(member) && isObject(value)
          ? filled(member, value)
          : member;
  }
  // A default has the type of the member that it stands for.
  return given as Data;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
