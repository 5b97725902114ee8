import { ApiKeys } from "./api-keys";
import { EncryptionKeys } from "./encryption-keys";
import { Environments } from "./environments";
import { FilteringRules } from "./filtering-rules";
import { Webhooks } from "./webhooks";
import type { ManagementApi } from "./management-api";

/** The collections of the management API, under the names that a client has for them. */
export const collectionsOver = (api: ManagementApi) => ({
  apiKeys: new ApiKeys(api),
  encryptionKeys: new EncryptionKeys(api),
  environments: new Environments(api),
  filteringRules: new FilteringRules(api),
  webhooks: new Webhooks(api),
});

/** The collections of a client. */
export type Collections = Readonly<ReturnType<typeof collectionsOver>>;
