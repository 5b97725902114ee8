import { ApiKeys } from "./api-keys";
import { EncryptionKeys } from "./encryption-keys";
import { Environments } from "./environments";
import { FilteringRules } from "./filtering-rules";
import { Webhooks } from "./webhooks";
import type { ManagementApi } from "./management-api";

/** The collections of the management API, by their members of a client. */
export interface Collections {
  readonly apiKeys: ApiKeys;
  readonly encryptionKeys: EncryptionKeys;
  readonly environments: Environments;
  readonly filteringRules: FilteringRules;
  readonly webhooks: Webhooks;
}

/** The collections, whose calls go through an API. */
export const collectionsOver = (api: ManagementApi): Collections => ({
  apiKeys: new ApiKeys(api),
  encryptionKeys: new EncryptionKeys(api),
  environments: new Environments(api),
  filteringRules: new FilteringRules(api),
  webhooks: new Webhooks(api),
});
