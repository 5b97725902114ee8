import type { Event, Region } from "@devid/sdk";
import { ServiceError } from "../service-errors";
import type { Db } from "./db";
import {
  deviceActivity,
  type DeviceActivity,
  type Window,
} from "./device-activity";
import { EVENT_COLUMNS, eventValues } from "./event-columns";
import { type EventPlace, type EventWalk, walkEvents } from "./event-walk";
import { velocityOf } from "./velocity";

/** An `event_id` already exists, or is given twice. */
export class DuplicateEventError extends ServiceError {
  readonly name = "DuplicateEventError";

  constructor(
    /** The index of the event in the given list. */
    readonly index: number,
    readonly eventId: string,
  ) {
    super(`event_id ${eventId} exists already`);
  }
}

const COLUMNS = ["workspace", "event_id", "timestamp", ...EVENT_COLUMNS];

const INSERT = `
  INSERT INTO events (${COLUMNS.join()}) VALUES (${COLUMNS.map(() => "?").join()})
  ON CONFLICT (workspace, event_id) DO NOTHING`;

const UPDATE = `
  UPDATE events SET ${EVENT_COLUMNS.map((column) => `${column} = ?`).join()}
   WHERE seq = ?`;

/** A stored event. */
export interface EventRow extends EventPlace {
  readonly environment_id: string | null;
  readonly body: string;
}

interface VisitorEvents {
  readonly workspace: Region;
  readonly visitorId: string;
  /** The earliest time of an event. */
  readonly sinceMs: number;
  /** Takes only events of this environment; undefined takes all. */
  readonly environment?: string | undefined;
}

/** The events of all workspaces (docs/contract.md, "Event record"). */
export class Events {
  constructor(private readonly db: Db) {}

  /**
   * Stores events, all or none, and returns each event as JSON.
   * @throws DuplicateEventError
   */
  insert(workspace: Region, events: readonly Event[]): string[] {
    return this.db.tx(() =>
      events.map((event, index) => {
        const { event_id, timestamp } = event;
        const body = JSON.stringify(event);
        const inserted = this.db.run(
          INSERT,
          workspace,
          event_id,
          timestamp,
          ...eventValues(event),
        );
        if (inserted === 0) throw new DuplicateEventError(index, event_id);
        this.db.run(
          "INSERT INTO event_bodies (seq, body) VALUES (last_insert_rowid(), ?)",
          body,
        );
        return body;
      }),
    );
  }

  get(workspace: Region, eventId: string): EventRow | undefined {
    return this.db.get(
      `SELECT seq, timestamp, environment_id, body
         FROM events JOIN event_bodies USING (seq)
        WHERE workspace = ? AND event_id = ?`,
      workspace,
      eventId,
    );
  }

  /** Replaces a stored event. Its ID and its time stay. */
  replace(seq: number, event: Event): void {
    this.db.tx(() => {
      this.db.run(UPDATE, ...eventValues(event), seq);
      const body = JSON.stringify(event);
      this.db.update("event_bodies", { seq }, { body });
    });
  }

  /** The number of the last stored event; 0 before the first. */
  lastSeq(): number {
    return this.db.value<number | null>("SELECT max(seq) FROM events") ?? 0;
  }

  /** How often the traits of an event were seen: see `velocityOf`. */
  velocity(workspace: Region, event: Event): Event["velocity"] {
    return velocityOf(this.db, workspace, event);
  }

  /** What the events say about an Android device: see `deviceActivity`. */
  ofDevice(visitorId: string, window: Window): DeviceActivity | undefined {
    return deviceActivity(this.db, visitorId, window);
  }

  /** Finds events slice by slice: see `walkEvents`. */
  walk(walk: EventWalk): Generator<EventPlace[], void, undefined> {
    return walkEvents(this.db, walk);
  }

  /** Whether a visitor has an event in a range of time. */
  has(which: VisitorEvents): boolean {
    return this.ofVisitor(which, 1).length > 0;
  }

  /** Deletes events of a visitor, and returns how many it deleted. */
  deleteOf(which: VisitorEvents, most: number): number {
    const found = this.ofVisitor(which, most);
    for (const seq of found) {
      this.db.delete("events", { seq });
      this.db.delete("event_bodies", { seq });
    }
    return found.length;
  }

  private ofVisitor(
    { workspace, visitorId, sinceMs, environment }: VisitorEvents,
    limit: number,
  ): number[] {
    const rows = this.db.all<{ seq: number }>(
      `SELECT seq FROM events INDEXED BY events_by_visitor
        WHERE workspace = ? AND identification_visitor_id = ?
          AND timestamp >= ? AND environment_id IS coalesce(?, environment_id)
        LIMIT ?`,
      workspace,
      visitorId,
      sinceMs,
      environment ?? null,
      limit,
    );
    return rows.map(({ seq }) => seq);
  }

  /** The events at these places as JSON, in their order. */
  bodies(places: readonly EventPlace[]): string[] {
    const sql = "SELECT body FROM event_bodies WHERE seq = ?";
    return places.flatMap(({ seq }) => this.db.value<string>(sql, seq) ?? []);
  }
}
