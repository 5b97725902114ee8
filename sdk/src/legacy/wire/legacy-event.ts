import { z } from "zod";

/** Names of products (docs/contract.md, "Legacy event"); an event holds those of its workspace. */
export const LEGACY_PRODUCTS = [
  "identification",
  "botd",
  "rootApps",
  "emulator",
  "ipInfo",
  "ipBlocklist",
  "tor",
  "vpn",
  "proxy",
  "incognito",
  "tampering",
  "clonedApp",
  "factoryReset",
  "jailbroken",
  "frida",
  "privacySettings",
  "virtualMachine",
  "rawDeviceAttributes",
  "highActivity",
  "locationSpoofing",
  "velocity",
  "developerTools",
  "mitmAttack",
  "proximity",
  "suspectScore",
  "remoteControl",
  "rareDevice",
  "labels",
] as const;

/** Name of a documented product. */
export type LegacyProduct = (typeof LEGACY_PRODUCTS)[number];

const SeenAt = z.looseObject({
  global: z.string().nullish(),
  subscription: z.string().nullish(),
});

/** One visit of a known visitor, in the flat shape of `GET /visitors`. */
export const LegacyVisit = z.looseObject({
  requestId: z.string(),
  incognito: z.boolean().optional(),
  linkedId: z.string().nullish(),
  tag: z.record(z.string(), z.unknown()).nullish(),
  time: z.string().optional(),
  timestamp: z.number().optional(),
  url: z.string().optional(),
  ip: z.string().optional(),
  ipLocation: z.record(z.string(), z.unknown()).optional(),
  browserDetails: z.record(z.string(), z.unknown()).optional(),
  confidence: z.looseObject({ score: z.number() }).optional(),
  visitorFound: z.boolean().optional(),
  firstSeenAt: SeenAt.optional(),
  lastSeenAt: SeenAt.optional(),
});

/** `products.identification.data`. `visitorId` is absent where none was told. */
export const LegacyIdentification = LegacyVisit.extend({
  visitorId: z.string().optional(),
  suspect: z.boolean().optional(),
  sdk: z.record(z.string(), z.unknown()).optional(),
  replayed: z.boolean().optional(),
});

const products = Object.fromEntries(
  LEGACY_PRODUCTS.map((name) => [
    name,
    z.looseObject({ data: z.unknown().optional() }).optional(),
  ]),
) as Record<
  LegacyProduct,
  z.ZodOptional<
    z.ZodObject<{ data: z.ZodOptional<z.ZodUnknown> }, z.core.$loose>
  >
>;

/**
 * An event of version 3: signals as products, in camelCase. Only the
 * identification is read in detail; signals of mobile devices show up on other
 * events as well and mean nothing there.
 */
export const LegacyEvent = z.looseObject({
  products: z.looseObject({
    ...products,
    identification: z.looseObject({ data: LegacyIdentification }).optional(),
  }),
});

/** Answer of `GET /events/search`; without a `paginationKey` it is the last page. */
export const LegacySearchAnswer = z.looseObject({
  events: z.array(LegacyEvent),
  paginationKey: z.string().nullish(),
});
