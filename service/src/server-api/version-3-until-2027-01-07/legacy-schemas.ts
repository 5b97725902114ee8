import {
  EVENT_FILTERS,
  EVENT_PAGE_PARAMETERS,
  LinkedId,
  type SearchParameter,
  Tags,
} from "@devid/sdk/wire/events";
import { z } from "zod";
import { LEGACY_PRODUCTS, type LegacyProduct } from "./legacy-event";

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

/** `products.identification.data`. `visitorId` is absent if the service sent none. */
export const LegacyIdentification = LegacyVisit.extend({
  visitorId: z.string().nullish(),
  suspect: z.boolean().nullish(),
  sdk: z.record(z.string(), z.unknown()).nullish(),
  replayed: z.boolean().nullish(),
});

const Product = z.looseObject({ data: z.unknown().optional() }).nullish();

const products = Object.fromEntries(
  LEGACY_PRODUCTS.map((name) => [name, Product]),
) as Record<LegacyProduct, typeof Product>;

/**
 * An event of version 3, which lists its signals as products, in camelCase. Only the
 * identification is read in detail. Every field but the request ID may be null. Events
 * of browsers also hold signals of mobile devices, which have no meaning there.
 */
export const LegacyEvent = z.looseObject({
  products: z.looseObject({
    ...products,
    identification: z.looseObject({ data: LegacyIdentification }).nullish(),
  }),
});

/** Answer of `GET /events/search`. The last page has no `paginationKey`. */
export const LegacySearchAnswer = z.looseObject({
  events: z.array(LegacyEvent),
  paginationKey: z.string().nullish(),
});

/**
 * Answer of `GET /visitors/{visitor_id}`: visits, the newest first. The last page has
 * no `paginationKey`.
 */
export const LegacyVisitorAnswer = z.looseObject({
  visitorId: z.string(),
  visits: z.array(LegacyVisit),
  paginationKey: z.string().nullish(),
  lastTimestamp: z.number().nullish(),
});

/** Answer of `GET /related-visitors`. */
export const LegacyRelatedVisitors = z.looseObject({
  relatedVisitors: z.array(z.looseObject({ visitorId: z.string() })),
});

/**
 * Body of `PUT /events/{request_id}` (docs/contract.md, "Legacy operations"). A field
 * that is left out keeps its value.
 */
export const LegacyUpdate = z.object({
  linkedId: LinkedId.optional(),
  tag: Tags.optional(),
  suspect: z.boolean().optional(),
});

/** Filters of version 4 that version 3 does not have. */
const {
  high_recall_id: _highRecall,
  bot_info: _botInfo,
  bot_info_category: _category,
  bot_info_identity: _identity,
  bot_info_confidence: _confidence,
  bot_info_provider: _provider,
  bot_info_name: _name,
  tor_node: _tor,
  incremental_identification_status: _incremental,
  simulator: _simulator,
  active_call: _call,
  source: _source,
  ...KEPT_FILTERS
} = EVENT_FILTERS;

/**
 * Query parameters of `GET /events/search`: the ones that version 4 still has, and
 * three that version 4 dropped.
 */
export const LEGACY_SEARCH_PARAMETERS = {
  ...KEPT_FILTERS,
  ip_blocklist: {
    kind: "boolean",
    matches: "whether the address is on a blocklist",
  },
  datacenter: {
    kind: "boolean",
    matches: "whether the address is that of a data center",
  },
  proximity_precision_radius: {
    kind: "integer",
    minimum: 1,
    fields: ["proximity.precision_radius"],
    matches: "proximity.precision_radius, in metres",
  },
  limit: {
    kind: "integer",
    minimum: 1,
    required: true,
    matches: "number of events on a page",
  },
  pagination_key: EVENT_PAGE_PARAMETERS.pagination_key,
  reverse: EVENT_PAGE_PARAMETERS.reverse,
} as const satisfies Record<string, SearchParameter>;

/**
 * Query parameters of `GET /visitors/{visitor_id}`. The service mixes camelCase and
 * snake_case.
 */
export const LEGACY_VISITOR_PARAMETERS = {
  request_id: { kind: "text", matches: "the request ID, exactly" },
  linked_id: EVENT_FILTERS.linked_id,
  limit: { kind: "integer", minimum: 1, matches: "number of visits on a page" },
  paginationKey: EVENT_PAGE_PARAMETERS.pagination_key,
  before: { kind: "time", matches: "visits before this time" },
} as const satisfies Record<string, SearchParameter>;

/** Query parameters of `GET /related-visitors`. */
export const LEGACY_RELATED_PARAMETERS = {
  visitor_id: { kind: "text", required: true, matches: "the visitor ID" },
} as const satisfies Record<string, SearchParameter>;
