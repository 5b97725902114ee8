import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { vi } from "vitest";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { type Send, sender } from "../sender.js";
import { WebhookReceiver } from "../../helpers/webhook-receiver";

/** The time of the records, by the service's clock. */
const DAY = "2026-11-20T12:00:00Z";

/**
 * The SQL that makes a data file with records in every table, in the form that the
 * current service stores.
 */
export async function recordDataFile(folder: string): Promise<string> {
  const data = join(folder, "recorded.db");
  const receiver = await WebhookReceiver.start();
  const local = await LocalWorkspace.start({ data });
  try {
    const { service } = local;
    const v4 = sender(`${service.url}/us/v4`, {
      authorization: "Bearer local-secret-us",
    });
    const control = orThrow(local.controlCall);
    const us = orThrow(local.us);
    const events = orThrow(v4);
    const { environment } = service.workspaces.us;
    await control("POST", "/clock", { body: { now: DAY } });
    await control("POST", "/us/settings", { body: { visitorDeletion: true } });
    await us("POST", "/environments", { body: { name: "Staging" } });
    await us("POST", "/webhooks", {
      body: { url: "https://shop.example/hook" },
    });
    await control("POST", "/us/webhooks", {
      body: { url: receiver.url, status: "enabled", verified: true },
    });
    await us("POST", "/filtering-rules/bulk", {
      body: {
        environment,
        mode: "overwrite",
        rules: [
          {
            name: "no-robots",
            expression: "http.user_agent.is_crawler_bot",
            action: "deny",
            deny_with: "Forbidden",
          },
        ],
      },
    });
    await control("POST", "/us/rulesets", {
      body: { id: "rs_1", rules: [] },
    });
    await control("POST", "/us/drn/abcdefghij0123456789", { body: {} });
    await control("POST", "/us/related-visitors", {
      body: { visitorIds: ["abcdefghij0123456789", "abcdefghij0123456780"] },
    });
    await control("POST", "/us/events", {
      body: [1, 2].map((n) => ({
        linked_id: "recorded",
        client_referrer: `https://search.example/${n}`,
        suspect_score: n * 3,
        vpn: n === 1,
        proximity: { id: `near-${n}`, precision_radius: 10, confidence: 0.9 },
        tags: { plan: n, list: [n] },
      })),
    });
    for (const userAgent of ["Mozilla/5.0 Firefox/140.0", "Googlebot/2.1"])
      await control("POST", "/identify/us", {
        body: {
          publicKey: "local-public-us",
          ip: "203.0.113.7",
          url: "https://shop.example/login",
          linkedId: "recorded",
          headers: { "User-Agent": userAgent },
        },
      });
    const found = (await events("GET", "/events?limit=1")).body as {
      events: { identification: { visitor_id: string } }[];
    };
    const visitor = found.events[0]?.identification.visitor_id;
    await events("DELETE", `/visitors/${visitor}`);
    await vi.waitFor(async () => {
      const { body } = await control("GET", "/us/deliveries");
      if (!JSON.stringify(body).includes("delivered"))
        throw new Error("Nothing was delivered yet.");
    });
  } finally {
    await local.close();
    receiver.close();
  }
  const sqlite = new DatabaseSync(data);
  // Logs drop rows above 20,000.
  sqlite.exec("INSERT INTO dropped_rows VALUES ('decisions', 'eu', 1)");
  sqlite.close();
  return dumped(data);
}

/** Fails if the service refuses a call, except for a refusal by its filtering rules. */
function orThrow(send: Send): Send {
  return async (method, path, options) => {
    const answer = await send(method, path, options);
    if (answer.status < 300 || answer.status === 403) return answer;
    throw new Error(`${method} ${path}: ${answer.text}`);
  };
}

/** A database as SQL: its schema, then its rows. */
function dumped(path: string): string {
  const sqlite = new DatabaseSync(path);
  try {
    const all = (sql: string) =>
      sqlite.prepare(sql).all() as Record<string, unknown>[];
    const number = (pragma: string) =>
      `PRAGMA ${pragma} = ${String(Object.values(all(`PRAGMA ${pragma}`)[0] ?? {})[0])};`;
    const schema = all(
      "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'",
    );
    const rows = schema
      .filter(({ type }) => type === "table")
      .flatMap(({ name }) => {
        const columns = all(
          `SELECT name FROM pragma_table_info('${String(name)}')`,
        ).map((column) => String(column["name"]));
        const literals = columns
          .map((column) => `quote(${column})`)
          .join(" || ', ' || ");
        return all(`SELECT ${literals} AS row FROM ${String(name)}`).map(
          ({ row }) =>
            `INSERT INTO ${String(name)} (${columns.join(", ")}) VALUES (${String(row)});`,
        );
      });
    const ordered = ["table", "index", "trigger"].flatMap((kind) =>
      schema.filter(({ type }) => type === kind),
    );
    return [
      number("application_id"),
      number("user_version"),
      ...ordered.map(({ sql }) => `${String(sql)};`),
      ...rows,
      "",
    ].join("\n");
  } finally {
    sqlite.close();
  }
}
