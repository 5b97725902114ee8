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
  incognito: z.boolean().nullish(),
  linkedId: z.string().nullish(),
  tag: z.record(z.string(), z.unknown()).nullish(),
  time: z.string().nullish(),
  timestamp: z.number().nullish(),
  url: z.string().nullish(),
  ip: z.string().nullish(),
  ipLocation: z.record(z.string(), z.unknown()).nullish(),
  browserDetails: z.record(z.string(), z.unknown()).nullish(),
  confidence: z.looseObject({ score: z.number().nullable() }).nullish(),
  visitorFound: z.boolean().nullish(),
  firstSeenAt: SeenAt.nullish(),
  lastSeenAt: SeenAt.nullish(),
});

/** `products.identification.data`. `visitorId` is absent where none was told. */
export const LegacyIdentification = LegacyVisit.extend({
  visitorId: z.string().nullish(),
  suspect: z.boolean().nullish(),
  sdk: z.record(z.string(), z.unknown()).nullish(),
  replayed: z.boolean().nullish(),
});

const products = Object.fromEntries(
  LEGACY_PRODUCTS.map((name) => [
    name,
    z.looseObject({ data: z.unknown().optional() }).nullish(),
  ]),
) as Record<
  LegacyProduct,
  z.ZodOptional<
    z.ZodNullable<
      z.ZodObject<{ data: z.ZodOptional<z.ZodUnknown> }, z.core.$loose>
    >
  >
>;

/**
 * An event of version 3: signals as products, in camelCase. Only the
 * identification is read in detail, and anything but the request ID may be null; signals of mobile devices show up on other
 * events as well and mean nothing there.
 */
export const LegacyEvent = z.looseObject({
  products: z.looseObject({
    ...products,
    identification: z.looseObject({ data: LegacyIdentification }).nullish(),
  }),
});

/** Answer of `GET /events/search`; without a `paginationKey` it is the last page. */
export const LegacySearchAnswer = z.looseObject({
  events: z.array(LegacyEvent),
  paginationKey: z.string().nullish(),
});
