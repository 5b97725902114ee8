// The floor of `devid serve`: its libraries alone, with as many tables and routes.
import { DatabaseSync } from "@photostructure/sqlite";
import { Command } from "commander";
import fastify from "fastify";
import { pino } from "pino";
import { z } from "zod";

const TABLES = 35;
const ROUTES = 128;

const Row = z.strictObject({ id: z.int() });

new Command()
  .argument("serve")
  .action(async () => {
    const database = new DatabaseSync(":memory:");
    for (let n = 0; n < TABLES; n++)
      database.exec(`create table rows_${n} (id integer primary key)`);
    const server = fastify({ loggerInstance: pino({ level: "silent" }) });
    for (let n = 0; n < ROUTES; n++)
      server.get(`/rows/${n}/:id`, () =>
        database
          .prepare("select id from rows_0")
          .all()
          .map((row) => Row.parse(row)),
      );
    await server.listen({ host: "127.0.0.1", port: 0 });
    console.log("ready");
  })
  .parse();
