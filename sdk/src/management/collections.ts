import { ApiKeys } from "./api-keys";
import { EncryptionKeys } from "./encryption-keys";
import { Environments } from "./environments";
import { FilteringRules } from "./filtering-rules";
import { Webhooks } from "./webhooks";
import type { ManagementApi } from "./management-api";

/** The collections of the management API, by their members of a client, whose calls go through an API. */
export const collectionsOver = (api: ManagementApi) => ({
  apiKeys: new ApiKeys(api),
  encryptionKeys: new EncryptionKeys(api),
  environments: new Environments(api),
  filteringRules: new FilteringRules(api),
  webhooks: new Webhooks(api),
});

/** Those collections. */
export type Collections = Readonly<ReturnType<typeof collectionsOver>>;
