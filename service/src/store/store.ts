import type { Clock } from "../clock";
import type { ServiceKeys } from "../keys";
import { StartError } from "../service-errors";
import { Cursors, Signer } from "./database/cursors";
import { damaged } from "./database/data-file";
import { Database } from "./database/database";
import * as tables from "./database/schema";
import { Events } from "./events/events";
import { eraseAll, prepareWorkspaces } from "./first-start";
import { Activity } from "./records/activity";
import { ApiKeys } from "./records/api-keys";
import {
  DrnRecords,
  RelatedVisitors,
  Rulesets,
  WorkspaceSettings,
} from "./records/control-records";
import { Decisions } from "./records/decisions";
import { Deliveries } from "./records/deliveries";
import { EncryptionKeys } from "./records/encryption-keys";
import { Environments } from "./records/environments";
import { FilteringRules } from "./records/filtering-rules";
import { HighRecallIds } from "./records/high-recall-ids";
import { VisitorDeletions } from "./records/visitor-deletions";
import { Visitors } from "./records/visitors";
import { Webhooks } from "./records/webhooks";

/** The records of a database, by kind. */
function recordsOf(db: Database, clock: Clock) {
  const signer = new Signer(db);
  return {
    apiKeys: new ApiKeys(db, clock, tables.API_KEYS),
    webhooks: new Webhooks(db, clock, tables.WEBHOOKS),
    deliveries: new Deliveries(db),
    encryptionKeys: new EncryptionKeys(db, clock, tables.ENCRYPTION_KEYS),
    filteringRules: new FilteringRules(db, clock, tables.FILTERING_RULES),
    environments: new Environments(db, clock, tables.ENVIRONMENTS),
    events: new Events(db),
    visitors: new Visitors(db),
    visitorDeletions: new VisitorDeletions(db),
    relatedVisitors: new RelatedVisitors(db),
    highRecallIds: new HighRecallIds(db),
    decisions: new Decisions(db, clock),
    activity: new Activity(db),
    rulesets: new Rulesets(db),
    drnRecords: new DrnRecords(db),
    settings: new WorkspaceSettings(db),
    signer,
    cursors: new Cursors(signer),
  };
}

/** Everything that the service stores. */
export type Store = ReturnType<typeof openStore>;

/** Opens a data file or `:memory:` and prepares the three workspaces. Throws StartError. */
export function openStore(path: string, clock: Clock, keys: ServiceKeys) {
  const db = Database.open(path);
  try {
    const records = recordsOf(db, clock);
    const { environments } = records;
    db.transaction(() => prepareWorkspaces(db, environments, clock, keys));
    return {
      ...records,
      changes: () => db.changes(),
      remember: <T>(key: string, read: () => T) => db.remember(key, read),
      /** Runs several changes as one. If `work` throws, none of them is stored. */
      transaction: <T>(work: () => T) => db.transaction(work),
      /**
       * Runs a change in one transaction with others, and resolves when it is stored:
       * see `Database.batched`.
       */
      batched: <T>(work: () => T) => db.batched(work),
      /** Returns to the state of the first start. Default environments keep their IDs. */
      reset: () =>
        db.transaction(() => {
          const ids = eraseAll(db);
          prepareWorkspaces(db, environments, clock, keys, ids);
        }),
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    // The check of the file cannot find records that contradict each other.
    throw error instanceof StartError
      ? error
      : damaged(path, (error as Error).message);
  }
}
