import { placesOf, type Configuration } from "../configuration/configuration";
import {
  ForbiddenError,
  type ErrorFor,
  type ServiceError,
  type ServiceErrorDetails,
} from "../http/errors";
import * as errors from "./errors";
import { INVALID_PAGINATION_KEY } from "../wire/error-codes";

/** A named error of the surfaces that take the secret key. */
interface NamedError {
  readonly type: new (details: ServiceErrorDetails) => ServiceError;
  /**
   * Values of `error.code` for this error, in the events API and in the DRN API.
   */
  readonly codes: readonly string[];
  /** A text in the message that distinguishes it from other errors with the same code. */
  readonly detail?: string;
  /** What the reader of the message can do next. */
  readonly hint: string | ((configuration: Configuration) => string);
}

const keyHint = ({ secretKey, region }: Configuration) =>
  `The secret key came from ${secretKey?.from}; ` +
  `it must be an enabled secret API key (not a public or management key) of the workspace in region ${region}.`;

const NAMED_ERRORS = {
  secretKey: {
    type: errors.SecretKeyError,
    codes: [
      "secret_api_key_required",
      "secret_api_key_not_found",
      "secret_key_not_found",
    ],
    hint: keyHint,
  },
  forbidden: { type: ForbiddenError, codes: [], hint: keyHint },
  wrongRegion: {
    type: errors.WrongRegionError,
    codes: ["wrong_region"],
    hint: (configuration) =>
      `The configured region is ${configuration.region}, and the secret key came from ${configuration.secretKey?.from}: ` +
      `change one of them. The region is set as ${placesOf(configuration, "region").join(" or ")}.`,
  },
  subscriptionNotActive: {
    type: errors.SubscriptionNotActiveError,
    codes: ["subscription_not_active"],
    hint: "See the workspace's subscription in the service's dashboard.",
  },
  featureNotEnabled: {
    type: errors.FeatureNotEnabledError,
    codes: ["feature_not_enabled"],
    hint: "See the workspace's plan in the service's dashboard.",
  },
  eventNotFound: {
    type: errors.EventNotFoundError,
    codes: ["event_not_found"],
    hint: "Check the ID, the region, and whether the key belongs to the environment of the event.",
  },
  visitorNotFound: {
    type: errors.VisitorNotFoundError,
    codes: ["visitor_not_found"],
    hint: "Check the visitor ID and the region.",
  },
  deviceNotFound: {
    type: errors.VisitorNotFoundError,
    codes: ["http.not_found"],
    hint: "Device reputation knows visitors of Android devices only.",
  },
  rulesetNotFound: {
    type: errors.RulesetNotFoundError,
    codes: ["ruleset_not_found"],
    hint: "Rulesets are made in the service's dashboard; check the ID and the region.",
  },
  paginationKey: {
    type: errors.PaginationKeyError,
    codes: ["request_cannot_be_parsed"],
    detail: INVALID_PAGINATION_KEY,
    hint: "Start again at the first page; a pagination key is valid only for the search that returned it.",
  },
  eventNotMutable: {
    type: errors.EventNotMutableError,
    codes: ["state_not_ready"],
    hint: "A new event can be changed only some seconds after it was made, and the last attempt of the call was before that. Try later, or allow more time with retry.budgetMs.",
  },
  searchTimeout: {
    type: errors.SearchTimeoutError,
    codes: [],
    hint: "The search was not repeated, because it would fail again. Narrow it down: give a visitor ID, a linked ID or an IP address, and bring start and end closer together.",
  },
} as const satisfies Record<string, NamedError>;

/** The errors of one operation by status, for answers whose code is unknown. */
export type StatusErrors = Readonly<Record<number, keyof typeof NAMED_ERRORS>>;

const ALWAYS: StatusErrors = {
  401: "secretKey",
  403: "forbidden",
};

/**
 * The named errors of one operation of the events or DRN API. The error code
 * decides (docs/contract.md, "Events errors", "DRN errors"). If
 * the code is unknown, the status decides, because the contract itself lists no codes.
 */
export function namedErrors(
  configuration: Configuration,
  statuses: StatusErrors,
): ErrorFor {
  const byStatus: StatusErrors = { ...ALWAYS, ...statuses };
  return (details) => {
    const { code, detail, status } = details;
    const name = byStatus[status];
    const named: NamedError | undefined =
      Object.values<NamedError>(NAMED_ERRORS).find(
        (row) =>
          code !== undefined &&
          row.codes.includes(code) &&
          (row.detail === undefined || detail.includes(row.detail)),
      ) ??
      (name && NAMED_ERRORS[name]);
    if (!named) return undefined;
    const { type, hint } = named;
    return new type({
      ...details,
      hint: typeof hint === "string" ? hint : hint(configuration),
    });
  };
}
