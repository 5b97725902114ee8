// The floor of `devid serve`: its libraries alone answer one path from a database.
import { DatabaseSync } from "@photostructure/sqlite";
import { Command } from "commander";
import fastify from "fastify";
import { pino } from "pino";
import { z } from "zod";

const Row = z.strictObject({ id: z.int() });

new Command()
  .argument("serve")
  .action(async () => {
    const database = new DatabaseSync(":memory:");
    database.exec("create table rows (id integer primary key)");
    const server = fastify({ loggerInstance: pino({ level: "silent" }) });
    server.get("/rows", () =>
      database
        .prepare("select id from rows")
        .all()
        .map((row) => Row.parse(row)),
    );
    await server.listen({ host: "127.0.0.1", port: 0 });
    console.log("ready");
  })
  .parse();
