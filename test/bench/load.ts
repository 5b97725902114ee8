import { execFileSync } from "node:child_process";
import { printFigures, round, type Figure } from "./figure";
import { median, spreadOf } from "./statistics";

const PROCESSES = 15;

/** Public entries, and the limits of files and milliseconds that some of them have. */
const ENTRIES: readonly {
  readonly name: string;
  readonly code: string;
  readonly files?: number;
  readonly ms?: number;
}[] = [
  ...[
    "@devid/sdk",
    "@devid/sdk/webhooks",
    "@devid/rules",
    "@devid/rules/review",
    "@devid/service",
    "@devid/policy/policies",
  ].map((entry) => ({
    name: entry,
    code: `require(${JSON.stringify(entry)})`,
  })),
  {
    name: "@devid/pulumi, a program that declares a webhook",
    code: `require("@devid/pulumi").Webhook`,
    files: 40,
    ms: 30,
  },
  {
    name: "@devid/pulumi/provider, a host of one kind",
    code: `require("@devid/pulumi/provider").Webhook`,
    ms: 90,
  },
];

/** What one process says that loads an entry: Pulumi itself is loaded before, for every program has it. */
interface Load {
  readonly files: number;
  readonly ms: number;
  readonly megabytes: number;
}

function loadOf(code: string): Load {
  const script = `
    require("@pulumi/pulumi");
    const filesBefore = Object.keys(require.cache).length;
    const bytesBefore = process.memoryUsage().heapUsed;
    const startedAt = performance.now();
    ${code};
    const ms = performance.now() - startedAt;
    const files = Object.keys(require.cache).length - filesBefore;
    const megabytes = (process.memoryUsage().heapUsed - bytesBefore) / 1e6;
    console.log(JSON.stringify({ files, ms, megabytes }));`;
  const output = execFileSync(process.execPath, ["-e", script], {
    cwd: __dirname,
  });
  return JSON.parse(output.toString()) as Load;
}

function figures(): Figure[] {
  return ENTRIES.flatMap(({ name, code, files, ms }) => {
    const loads = Array.from({ length: PROCESSES }, () => loadOf(code));
    const times = loads.map((load) => load.ms);
    const loaded = median(loads.map((load) => load.files));
    const megabytes = round(median(loads.map((load) => load.megabytes)));
    const time = round(median(times));
    return [
      {
        name: `${name}: files`,
        value: loaded,
        unit: "",
        goal: files === undefined ? "-" : `<= ${files}`,
        holds: files === undefined || loaded <= files,
      },
      {
        name: `${name}: time (${spreadOf(times, round)}), ${megabytes} MB`,
        value: time,
        unit: "ms",
        goal: ms === undefined ? "-" : `<= ${ms}`,
        holds: ms === undefined || time <= ms,
      },
    ];
  });
}

printFigures(figures());
