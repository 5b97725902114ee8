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

/** Everything that the service stores. */
export class Store {
  readonly apiKeys: ApiKeys;
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
  readonly encryptionKeys: EncryptionKeys;
  readonly filteringRules: FilteringRules;
  readonly environments: Environments;
  readonly events: Events;
  readonly visitors: Visitors;
  readonly visitorDeletions: VisitorDeletions;
  readonly relatedVisitors: RelatedVisitors;
  readonly highRecallIds: HighRecallIds;
  readonly decisions: Decisions;
  readonly activity: Activity;
  readonly rulesets: Rulesets;
  readonly drnRecords: DrnRecords;
  readonly settings: WorkspaceSettings;
  readonly signer: Signer;
  readonly cursors: Cursors;

  private constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly keys: ServiceKeys,
  ) {
    this.apiKeys = new ApiKeys(db, clock, tables.API_KEYS);
    this.webhooks = new Webhooks(db, clock, tables.WEBHOOKS);
    this.deliveries = new Deliveries(db);
    this.encryptionKeys = new EncryptionKeys(db, clock, tables.ENCRYPTION_KEYS);
    this.filteringRules = new FilteringRules(db, clock, tables.FILTERING_RULES);
    this.environments = new Environments(db, clock, tables.ENVIRONMENTS);
    this.events = new Events(db);
    this.visitors = new Visitors(db);
    this.visitorDeletions = new VisitorDeletions(db);
    this.relatedVisitors = new RelatedVisitors(db);
    this.highRecallIds = new HighRecallIds(db);
    this.decisions = new Decisions(db, clock);
    this.activity = new Activity(db);
    this.rulesets = new Rulesets(db);
    this.drnRecords = new DrnRecords(db);
    this.settings = new WorkspaceSettings(db);
    this.signer = new Signer(db);
    this.cursors = new Cursors(this.signer);
  }

  /** Opens a data file or `:memory:` and prepares the three workspaces. Throws StartError. */
  static open(path: string, clock: Clock, keys: ServiceKeys): Store {
    const db = Database.open(path);
    try {
      const store = new Store(db, clock, keys);
      db.transaction(() =>
        prepareWorkspaces(db, store.environments, clock, keys),
      );
      return store;
    } catch (error) {
      db.close();
      // The check of the file cannot find records that contradict each other.
      throw error instanceof StartError
        ? error
        : damaged(path, (error as Error).message);
    }
  }

  /**
   * The result of `read`, which reads the configuration only (keys, webhooks, rules,
   * environments, encryption keys and settings). It is kept under `key` until the
   * configuration changes. Do not change the result.
   */
  remember<T>(key: string, read: () => T): T {
    return this.db.remember(key, read);
  }

  /** Runs several changes as one. If `work` throws, none of them is stored. */
  transaction<T>(work: () => T): T {
    return this.db.transaction(work);
  }

  /**
   * Runs a change in one transaction with others, and resolves when it is stored: see
   * `Database.batched`.
   */
  batched<T>(work: () => T): Promise<T> {
    return this.db.batched(work);
  }

  /**
   * Returns to the state of the first start. Default environments keep their
   * IDs.
   */
  reset(): void {
    this.db.transaction(() => {
      const ids = eraseAll(this.db);
      this.events.forgetRecent();
      prepareWorkspaces(this.db, this.environments, this.clock, this.keys, ids);
    });
  }

  /** Describes the damage in the part of a large data file that the start did not check. */
  findDamage(): Promise<string | undefined> {
    return this.db.findDamage();
  }

  close(): void {
    this.db.close();
  }
}
