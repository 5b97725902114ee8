import { z } from "zod";

// The published schema of version 3 (docs/contract.md, "Legacy event"), as a generated
// client needs it. Only the two times may be null.

const text = z.string();
const time = z.iso.datetime();
const flag = z.boolean();
const count = z.int().min(0);
const ratio = z.number().min(0).max(1);
const level = z.enum(["low", "medium", "high"]);

const Place = z.object({
  accuracyRadius: count.optional(),
  latitude: z.number().optional(),
  longitude: z.number().optional(),
  postalCode: text.optional(),
  timezone: text.optional(),
  city: z.object({ name: text }).optional(),
  country: z.object({ code: text, name: text }).optional(),
  continent: z.object({ code: text, name: text }).optional(),
  subdivisions: z.array(z.object({ isoCode: text, name: text })).optional(),
});

const Address = z.object({
  address: text,
  geolocation: Place,
  asn: z
    .object({ asn: text, name: text, network: text, type: text.optional() })
    .optional(),
  datacenter: z.object({ result: flag, name: text }).optional(),
});

const SeenAt = z.object({
  global: time.nullable(),
  subscription: time.nullable(),
});

const Confidence = z.object({
  score: ratio,
  revision: text.optional(),
  comment: text.optional(),
});

/** A visit in the answer of `GET /visitors/{visitor_id}`. */
export const VisitSchema = z.object({
  requestId: text,
  browserDetails: z.object({
    browserName: text,
    browserMajorVersion: text,
    browserFullVersion: text,
    os: text,
    osVersion: text,
    device: text,
    userAgent: text,
  }),
  incognito: flag,
  ip: text,
  ipLocation: Place.optional(),
  linkedId: text.optional(),
  timestamp: z.int(),
  time,
  url: text,
  tag: z.record(text, z.unknown()),
  confidence: Confidence,
  visitorFound: flag,
  firstSeenAt: SeenAt,
  lastSeenAt: SeenAt,
});

const named = { name: text.optional(), version: text.optional() };

const Sdk = z.object({
  platform: text,
  version: text,
  integrations: z
    .array(z.object({ ...named, subintegration: z.object(named).optional() }))
    .optional(),
});

const Identification = VisitSchema.extend({
  visitorId: text,
  replayed: flag,
  suspect: flag.optional(),
  sdk: Sdk.optional(),
});

const Bot = z.object({
  result: z.enum(["notDetected", "good", "bad"]),
  type: text.optional(),
});

const Result = z.object({ result: flag });

const Counts = z.object({
  intervals: z.object({ "5m": count, "1h": count, "24h": count.optional() }),
});

const FactoryReset = z.object({ time, timestamp: z.int() });

/**
 * The signals of mobile devices, which other requests have, too, and the deprecated
 * `remoteControl`.
 */
const always = {
  rootApps: Result,
  emulator: Result,
  clonedApp: Result,
  factoryReset: FactoryReset,
  jailbroken: Result,
  frida: Result,
  locationSpoofing: Result,
  mitmAttack: Result,
  remoteControl: Result,
};

const sometimes = {
  tor: Result,
  privacySettings: Result,
  developerTools: Result,
  highActivity: Result,
  suspectScore: z.object({ result: count }),
  virtualMachine: z.object({ result: flag, mlScore: ratio }),
  rareDevice: z.object({ result: flag, percentileBucket: text.optional() }),
  rawDeviceAttributes: z.record(text, z.object({ value: z.unknown() })),
  ipInfo: z.object({ v4: Address.optional(), v6: Address.optional() }),
  ipBlocklist: z.object({
    result: flag,
    details: z.object({ emailSpam: flag, attackSource: flag }),
  }),
  vpn: z.object({
    result: flag,
    confidence: level,
    mlScore: ratio,
    originTimezone: text,
    originCountry: text,
    methods: z.object({
      timezoneMismatch: flag,
      publicVPN: flag,
      auxiliaryMobile: flag,
      osMismatch: flag,
      relay: flag,
    }),
  }),
  proxy: z.object({
    result: flag,
    confidence: level,
    mlScore: ratio,
    details: z
      .object({
        proxyType: z.enum(["residential", "data_center", "unknown"]),
        lastSeenAt: time.optional(),
      })
      .optional(),
  }),
  tampering: z.object({
    result: flag,
    confidence: level,
    anomalyScore: ratio,
    mlScore: ratio,
    antiDetectBrowser: flag,
  }),
  velocity: z.object({
    distinctIp: Counts,
    distinctLinkedId: Counts,
    distinctCountry: Counts,
    events: Counts,
    ipEvents: Counts,
    distinctIpByLinkedId: Counts,
    distinctVisitorIdByLinkedId: Counts,
  }),
  proximity: z.object({
    id: text,
    precisionRadius: z.literal([10, 25, 65, 175, 450, 1200, 3300, 8500, 22500]),
    confidence: ratio,
  }),
  labels: z.array(
    z.object({
      label: text,
      prediction: flag.optional(),
      mlScore: ratio.optional(),
    }),
  ),
};

/** The form of a product, with each member in `data`. */
function products<const T extends Record<string, z.ZodType>>(data: T) {
  return Object.fromEntries(
    Object.entries(data).map(([name, schema]) => [
      name,
      z.object({ data: schema }),
    ]),
  );
}

/** The answer of `GET /events/{request_id}` in a workspace with all signals. */
export const EventSchema = z.object({
  products: z.object({
    ...products({ identification: Identification, ...always }),
    ...z
      .object(
        products({
          ...sometimes,
          incognito: Result,
          botd: z.object({
            bot: Bot,
            linkedId: text.optional(),
            url: text,
            ip: text,
            time,
            userAgent: text,
            requestId: text,
          }),
        }),
      )
      .partial().shape,
  }),
});

/** The body of a legacy webhook in such a workspace. */
export const WebhookSchema = Identification.extend({
  sdk: Sdk,
  userAgent: text.optional(),
  clientReferrer: text.optional(),
  environmentId: text.optional(),
  bot: Bot.optional(),
  ...always,
  ...z.object(sometimes).partial().shape,
});
