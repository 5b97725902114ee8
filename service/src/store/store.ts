import type { Clock } from "../clock";
import type { ServiceKeys } from "../keys";
import { Activity } from "./activity";
import { ControlRecords } from "./control-records";
import { Cursors } from "./cursors";
import { Db, startErrorOf } from "./db";
import { Decisions } from "./decisions";
import { Deliveries } from "./deliveries";
import { Events } from "./events";
import { FilteringRules } from "./filtering-rules";
import { eraseAll, prepareWorkspaces } from "./first-start";
import { ApiKeys, EncryptionKeys, Environments, Webhooks } from "./records";
import { Visitors } from "./visitors";

/** The records of a database, by kind. */
function recordsOf(db: Db, clock: Clock) {
  const encryptionKeys = new EncryptionKeys(db, clock);
  return {
    apiKeys: new ApiKeys(db, clock),
    webhooks: new Webhooks(db, clock),
    deliveries: new Deliveries(db),
    encryptionKeys,
    filteringRules: new FilteringRules(db, clock),
    environments: new Environments(db, clock, encryptionKeys),
    events: new Events(db),
    visitors: new Visitors(db),
    decisions: new Decisions(db, clock),
    activity: new Activity(db, clock),
    rulesets: new ControlRecords(db, "ruleset"),
    reputations: new ControlRecords(db, "reputation"),
    settings: new ControlRecords(db, "settings"),
    cursors: new Cursors(db),
  };
}

/** Everything that the service stores. */
export type Store = ReturnType<typeof openStore>;

/** Opens a data file or `:memory:` and prepares the three workspaces. Throws StartError. */
export function openStore(path: string, clock: Clock, keys: ServiceKeys) {
  const db = Db.open(path);
  try {
    const records = recordsOf(db, clock);
    db.tx(() => prepareWorkspaces(db, records, keys));
    return {
      ...records,
      changes: () => db.changes(),
      checkpoint: () => db.checkpoint(),
      /** Runs several changes as one. If `work` throws, none of them is stored. */
      transaction: <T>(work: () => T) => db.tx(work),
      /** Returns to the state of the first start. Default environments keep their IDs. */
      reset: () =>
        db.tx(() => prepareWorkspaces(db, records, keys, eraseAll(db))),
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw startErrorOf(path, error);
  }
}
