import { apiKeyOperations } from "./api-keys";
import { encryptionKeyOperations } from "./encryption-keys";
import { environmentOperations } from "./environments";
import { filteringRuleOperations } from "./filtering-rules";
import { webhookOperations } from "./webhooks";
import type { Context } from "../context";
import type { Operation } from "../http/operation";

/** The operations of all collections. */
export const collectionOperations = (context: Context): Operation[] => [
  ...apiKeyOperations(context),
  ...encryptionKeyOperations(context),
  ...environmentOperations(context),
  ...filteringRuleOperations(context),
  ...webhookOperations(context),
];
