import { openEnum } from "../../../sdk/src/wire/open-enum";
import { expect, it } from "vitest";
import { z } from "zod";
import { Clock } from "../../../service/src/clock";
import { Database } from "../../../service/src/store/database/database";
import {
  defineRecords,
  recordOf,
} from "../../../service/src/store/database/record-columns";
import { ENVIRONMENTS } from "../../../service/src/store/database/schema";
import {
  booleanOrFalse,
  createTable,
} from "../../../service/src/store/database/table";
import { RecordTable } from "../../../service/src/store/records/record-table";

/** A kind that exists in this test alone. */
const ScratchRecord = z.object({
  id: z.string(),
  name: z.string(),
  environment: z.string().nullish(),
  mode: openEnum(["strict", "loose"]).nullish(),
  share: z.number().nullish(),
  paused: z.boolean().nullish(),
  hidden: z.boolean(),
  networks: z.array(z.string()).nullish(),
  owner: z.object({ team: z.string() }).optional(),
  created_at: z.string().nullish(),
});

const SCRATCH_LISTS = defineRecords("scratch_lists", "sl", ScratchRecord, {
  hidden: booleanOrFalse(),
});

function open() {
  const db = Database.open(":memory:");
  db.run(createTable(SCRATCH_LISTS));
  const clock = new Clock();
  const environments = new RecordTable(db, clock, ENVIRONMENTS);
  const lists = new RecordTable(db, clock, SCRATCH_LISTS);
  const { id } = environments.add("us", {
    name: "Shop",
    is_default: 0,
    limit_mode: "none",
  });
  return { environments, lists, environment: id };
}

it("a record comes back from its table as it was given", () => {
  const { lists, environment } = open();
  const given = {
    name: "Offices",
    environment,
    mode: "strict",
    share: 0.5,
    paused: true,
    networks: ["192.0.2.0/24"],
    owner: { team: "risk" },
  };
  const made = lists.add("us", given);
  expect(made.id).toMatch(/^sl_\w{16}$/);
  expect(recordOf(ScratchRecord, made)).toEqual({
    ...given,
    id: made.id,
    hidden: false,
    created_at: made.created_at,
  });
  const changed = lists.change("us", made.id, () => ({
    paused: false,
    networks: null,
  }));
  expect(changed && recordOf(ScratchRecord, changed)).toMatchObject({
    ...given,
    paused: false,
    networks: null,
  });
  expect(lists.change("us", made.id, () => ({}))).toEqual(changed);
  expect(lists.change("eu", made.id, () => ({ paused: true }))).toBeUndefined();
});

it("a required field has to be given, and an optional one is null until it is", () => {
  const { lists } = open();
  // @ts-expect-error `name` is required
  expect(() => lists.add("us", {})).toThrow("NOT NULL");
  expect(lists.add("us", { name: "Offices" })).toMatchObject({
    environment: null,
    mode: null,
    share: null,
    paused: null,
    hidden: 0,
    networks: null,
    owner: null,
  });
});

it("a record is deleted with its environment", () => {
  const { environments, lists, environment } = open();
  const inside = lists.add("us", { name: "Offices", environment });
  const outside = lists.add("us", { name: "Everywhere" });
  environments.remove("us", environment);
  expect(lists.get("us", inside.id)).toBeUndefined();
  expect(lists.get("us", outside.id)).toEqual(outside);
});
