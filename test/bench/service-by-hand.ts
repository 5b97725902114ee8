import { createHash, randomBytes } from "node:crypto";
import { DatabaseSync } from "@photostructure/sqlite";
import Fastify from "fastify";

/**
 * The smallest handwritten service for three calls: it stores a visit and recognises
 * the visitor by a digest of the signals, lists webhooks, and reads an event. It has no
 * rules, decisions, velocity, deliveries, request log, faults or schemas, and one key
 * of each kind.
 */
export async function serve(data: string): Promise<string> {
  const db = new DatabaseSync(data);
  db.exec(`
    PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE visitors (device TEXT PRIMARY KEY, visitor_id TEXT, first_seen INTEGER, last_seen INTEGER);
    CREATE TABLE events (event_id TEXT PRIMARY KEY, timestamp INTEGER, visitor_id TEXT, linked_id TEXT, ip TEXT, body TEXT);
    CREATE INDEX events_by_time ON events (timestamp);
    CREATE INDEX events_by_visitor ON events (visitor_id);
    CREATE INDEX events_by_linked_id ON events (linked_id);
    CREATE TABLE webhooks (seq INTEGER PRIMARY KEY, id TEXT, url TEXT, status TEXT, created_at TEXT);
    CREATE TABLE keys (token TEXT PRIMARY KEY, kind TEXT);
    INSERT INTO keys VALUES ('local-public-us', 'public'), ('local-secret-us', 'secret'), ('local-management-us', 'management');`);
  const key = db.prepare("SELECT kind FROM keys WHERE token = ?");
  const seen = db.prepare("SELECT * FROM visitors WHERE device = ?");
  const put = db.prepare(
    "INSERT INTO visitors VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET last_seen = excluded.last_seen",
  );
  const add = db.prepare("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)");
  const event = db.prepare("SELECT body FROM events WHERE event_id = ?");
  const hooks = db.prepare("SELECT * FROM webhooks ORDER BY seq LIMIT ?");
  const hook = db.prepare(
    "INSERT INTO webhooks (id, url, status, created_at) VALUES (?, ?, 'enabled', ?)",
  );
  const app = Fastify();
  const check = (token: string | undefined, kind: string) => {
    const found = key.get(token?.replace("Bearer ", "") ?? "") as
      | { kind: string }
      | undefined;
    if (found?.kind !== kind) throw new Error("This key is not known.");
  };

  app.post("/us/web/v4/:key", (request) => {
    check((request.params as { key: string }).key, "public");
    const body = request.body as {
      signals: object;
      url: string;
      linked_id?: string;
    };
    const device = createHash("sha256")
      .update(JSON.stringify(body.signals))
      .digest("hex");
    const now = Date.now();
    db.exec("BEGIN");
    const known = seen.get(device) as
      | { visitor_id: string; first_seen: number }
      | undefined;
    const visitor = known?.visitor_id ?? randomBytes(10).toString("hex");
    put.run(device, visitor, known?.first_seen ?? now, now);
    const made = {
      event_id: `${now}.${randomBytes(3).toString("hex")}`,
      timestamp: now,
      identification: { visitor_id: visitor, visitor_found: !!known },
      ip_address: request.ip,
      user_agent: request.headers["user-agent"],
      ...body,
    };
    const { event_id, linked_id = null } = made;
    add.run(
      event_id,
      now,
      visitor,
      linked_id,
      request.ip,
      JSON.stringify(made),
    );
    db.exec("COMMIT");
    return { event_id, visitor_id: visitor };
  });
  app.post("/management/webhooks", (request, reply) => {
    check(request.headers.authorization, "management");
    const { url } = request.body as { url: string };
    hook.run(randomBytes(8).toString("hex"), url, new Date().toISOString());
    return reply.code(201).send({ url });
  });
  app.get("/management/webhooks", (request) => {
    check(request.headers.authorization, "management");
    const { limit } = request.query as { limit: string };
    return { data: hooks.all(Number(limit)) };
  });
  app.get("/us/v4/events/:id", (request, reply) => {
    check(request.headers.authorization, "secret");
    const { id } = request.params as { id: string };
    const found = event.get(id) as { body: string } | undefined;
    if (!found) return reply.code(404).send({});
    return reply.type("application/json").send(found.body);
  });
  return app.listen({ port: 0, host: "127.0.0.1" });
}
