import { REGIONS } from "@devid/sdk/wire";
import type { Db } from "./db";

/** A span of time in Unix milliseconds; both ends belong to it. */
export interface Window {
  readonly startMs: number;
  readonly endMs: number;
}

/** What the stored events say about an Android device. */
export interface DeviceActivity {
  /** Times of the first and the last event, in Unix milliseconds. */
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
  /** The least and the greatest suspect score of the window; 0 without any. */
  readonly leastScore: number;
  readonly greatestScore: number;
  /** The countries of the window, the one with the most events first. */
  readonly countries: readonly {
    readonly code: string;
    readonly events: number;
  }[];
}

/**
 * The country of an event is that of its own address. Without one, it is that of the
 * other address in the event.
 */
const SEEN = `
  SELECT timestamp, iif(timestamp >= ?2, suspect_score, NULL) AS score,
         CASE WHEN timestamp >= ?2 THEN
           CASE ip WHEN v4 ->> 'address' THEN v4 WHEN v6 ->> 'address' THEN v6 ELSE coalesce(v4, v6) END
             ->> '$.geolocation.country_code'
         END AS code
    FROM (SELECT timestamp, suspect_score, body ->> 'ip_address' AS ip,
                 body ->> '$.ip_info.v4' AS v4, body ->> '$.ip_info.v6' AS v6
            FROM events INDEXED BY events_by_visitor JOIN event_bodies USING (seq)
           WHERE workspace IN (${REGIONS.map((region) => `'${region}'`).join()})
             AND identification_visitor_id = ?1 AND timestamp <= ?3
             AND sdk_platform = 'android' AND source = 'device')`;

/**
 * What the Android events of a visitor say, in all regions and up to the end of the
 * window. Undefined where there are no such events.
 */
export function deviceActivity(
  db: Db,
  visitorId: string,
  { startMs, endMs }: Window,
): DeviceActivity | undefined {
  const found = db.get<{ readonly [Name in keyof DeviceActivity]: unknown }>(
    `WITH seen AS MATERIALIZED (${SEEN})
     SELECT min(timestamp) AS firstSeenMs, max(timestamp) AS lastSeenMs,
            coalesce(min(score), 0) AS leastScore, coalesce(max(score), 0) AS greatestScore,
            (SELECT json_group_array(json_object('code', code, 'events', events)) FROM
              (SELECT code, count(*) AS events FROM seen WHERE code IS NOT NULL
                GROUP BY code ORDER BY events DESC, code)) AS countries
       FROM seen`,
    ...[visitorId, startMs, endMs],
  );
  // An aggregate has one row.
  if (found?.firstSeenMs === null) return undefined;
  const countries: unknown = JSON.parse(String(found?.countries));
  return { ...found, countries } as DeviceActivity;
}
