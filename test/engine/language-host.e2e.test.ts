import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { findEngine } from "@devid/engine";
import { credentials, type ClientReadableStream } from "@grpc/grpc-js";
import { AnalyzerClient } from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import { LanguageRuntimeClient } from "@pulumi/pulumi/proto/language_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/language_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { afterEach, beforeEach, expect, it } from "vitest";
import { folderForEachTest } from "../helpers/test-folder";

let folder: string;
let host: ChildProcess;
let client: LanguageRuntimeClient;
folderForEachTest((path) => (folder = path));

beforeEach(async () => {
  const bin = dirname((await findEngine()).path);
  // The host ends with its input, and the engine is only called by what it runs.
  host = spawn(join(bin, "pulumi-language-nodejs"), ["127.0.0.1:1"], {
    env: { ...process.env, NODE_PATH: join(folder, "shared") },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [port] = (await once(
    createInterface({ input: host.stdout as NonNullable<typeof host.stdout> }),
    "line",
  )) as [string];
  client = new LanguageRuntimeClient(
    `127.0.0.1:${port}`,
    credentials.createInsecure(),
  );
});

afterEach(async () => {
  client.close();
  const ended = once(host, "exit");
  host.stdin?.end();
  await ended;
});

function write(path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Puts a script in the place of one of Pulumi's SDK. */
const script = (
  name: "run" | "run-plugin" | "run-policy-pack",
  text: string,
  packages = "node_modules",
) => write(`${packages}/@pulumi/pulumi/cmd/${name}/index.js`, text);

const info = () =>
  new proto.ProgramInfo().setProgramDirectory(folder).setEntryPoint(".");

const run = () =>
  new Promise<object>((resolve) =>
    client.run(new proto.RunRequest().setInfo(info()), (error, response) =>
      resolve(error ?? response.toObject()),
    ),
  );

/** Starts a plugin. `ended` is what it has written, and its exit code or its error. */
function plugin(kind: "resource" | "analyzer") {
  const request = new proto.RunPluginRequest()
    .setInfo(info())
    .setKind(kind)
    .setEnvList([`PATH=${process.env.PATH}`]);
  const call: ClientReadableStream<proto.RunPluginResponse> =
    client.runPlugin(request);
  const got = { out: "", err: "", code: -1 };
  call.on("data", (part: proto.RunPluginResponse) => {
    got.out += Buffer.from(part.getStdout_asU8()).toString();
    got.err += Buffer.from(part.getStderr_asU8()).toString();
    if (part.hasExitcode()) got.code = part.getExitcode();
  });
  const ended = new Promise<typeof got | Error>((resolve) => {
    call.on("error", resolve).on("end", () => resolve(got));
  });
  return { got, ended };
}

it("finds Pulumi's SDK in NODE_PATH, after the packages of the program", async () => {
  const missing = await run();
  expect(missing).toMatchObject({
    error: expect.stringContaining("run `npm install` there") as string,
  });
  script("run", "process.exit(7)", "shared");
  expect(await run()).toMatchObject({
    error: "The program ended with exit status 7.",
  });
  script("run", "process.exit(32)");
  expect(await run()).toEqual({ error: "", bail: true });
});

it("a program that ends as it is asked to has not failed", async () => {
  script(
    "run",
    `process.on("SIGTERM", () => process.exit(0));
     require("node:fs").writeFileSync("started", "");
     setInterval(() => {}, 1000);`,
  );
  const ended = run();
  await expect.poll(() => existsSync(join(folder, "started"))).toBe(true);
  await new Promise((resolve) => client.cancel(new Empty(), resolve));
  expect(await ended).toEqual({ error: "", bail: false });
});

it("a plugin that leaves a process with its output behind has not failed", async () => {
  script(
    "run-plugin",
    `require("node:child_process").spawn("sleep", ["5"], { stdio: "inherit", detached: true }).unref();
     console.log("done"); console.error("and told");`,
  );
  const { ended } = plugin("resource");
  expect(await ended).toEqual({ out: "done\n", err: "and told\n", code: 0 });
});

it("tells all output and the exit code of a policy pack that ends before it is ready", async () => {
  script(
    "run-policy-pack",
    `process.stdout.write("starting\\nhalf a line"); console.error("why"); process.exit(5);`,
  );
  const { got, ended } = plugin("analyzer");
  await expect.poll(() => got.out).toMatch(/^\d+\n$/);
  const pack = new AnalyzerClient(
    `127.0.0.1:${got.out.trim()}`,
    credentials.createInsecure(),
  );
  await new Promise((resolve) => pack.getAnalyzerInfo(new Empty(), resolve));
  pack.close();
  expect(await ended).toEqual({
    out: expect.stringMatching(/^\d+\nstarting\nhalf a line\n$/) as string,
    err: `why\nThe policy pack in ${folder} ended with exit status 5 before it was ready.\n`,
    code: 5,
  });
});

it("lists the plugins of packages, beside manifests with members of other types", async () => {
  const manifest = (path: string, members: object) =>
    write(`node_modules/${path}/package.json`, JSON.stringify(members));
  const pulumi = { resource: true };
  manifest("@pulumi/aws", { name: "@pulumi/aws", version: "1.0.0", pulumi });
  manifest("odd", { name: "odd", version: 1, pulumi: true });
  manifest("odd/node_modules/in", { name: "in", version: "2.0.0", pulumi });
  manifest("own", {
    name: "o",
    version: "3.0.0",
    pulumi: { ...pulumi, name: 4 },
  });
  write("node_modules/broken/package.json", "{");
  const request = new proto.GetRequiredPackagesRequest().setInfo(info());
  const found = await new Promise<string[]>((resolve, reject) =>
    client.getRequiredPackages(request, (error, response) =>
      error
        ? reject(error)
        : resolve(
            response
              .getPackagesList()
              .map((one) => `${one.getName()} ${one.getVersion()}`),
          ),
    ),
  );
  expect(found.toSorted()).toEqual(["aws 1.0.0", "in 2.0.0", "o 3.0.0"]);
});
