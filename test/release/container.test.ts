import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeWorkFolder } from "../helpers/engine-stack";
import { randomKeys } from "../helpers/keys-file";
import { PackedPackages } from "../helpers/packed-packages";
import { PUBLISHED } from "../helpers/published";
import { textOf } from "../helpers/repository";
import { blockOf } from "../helpers/page-blocks";

// The Dockerfile of docs/local-service-in-tests.md. Where Docker is, it builds an image, and
// the container becomes healthy and answers. Elsewhere its instructions are run on this
// machine: what `RUN` installs, what `CMD` starts, what `HEALTHCHECK` asks.

const run = promisify(execFile);
const KEYS = randomKeys();
const IMAGE = `devid-of-tests-${process.pid}`;

const folder = makeWorkFolder();
let dockerfile: string;

beforeAll(async () => {
  const page = textOf("docs/local-service-in-tests.md");
  dockerfile = blockOf(page, "dockerfile");
  writeFileSync(join(folder, "Dockerfile"), dockerfile);
  writeFileSync(join(folder, "keys.json"), JSON.stringify(KEYS), {
    mode: 0o644,
  });
  mkdirSync(join(folder, "packed"));
  const packages = await PackedPackages.ofThisRun();
  for (const tarball of PUBLISHED.map((one) => packages.tarball(one.folder)))
    copyFileSync(tarball, join(folder, "packed", basename(tarball)));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The environments of a workspace, asked at the address of the service. */
async function namesOfEnvironments(url: string): Promise<string[]> {
  const answer = await fetch(`${url}/management/environments`, {
    headers: {
      Authorization: `Bearer ${KEYS.workspaces.us.managementKey}`,
      "X-API-Version": "2025-11-20",
    },
  });
  const { data } = (await answer.json()) as { data: { name: string }[] };
  return data.map(({ name }) => name);
}

/** The words of an instruction in its JSON form. */
function wordsOf(instruction: string): string[] {
  const [, words] =
    RegExp(`^${instruction} .*?(\\[.*\\])$`, "m").exec(dockerfile) ?? [];
  return JSON.parse(words ?? expect.fail(instruction)) as string[];
}

async function inContainer(): Promise<void> {
  const docker = async (...args: string[]) =>
    (await run("docker", args, { cwd: folder })).stdout.trim();
  await docker("build", "--tag", IMAGE, ".");
  const container = await docker(
    ...["run", "--detach", "--publish", "127.0.0.1::8787", IMAGE],
  );
  const health = () =>
    docker("inspect", "--format", "{{.State.Health.Status}}", container);
  try {
    while ((await health()) === "starting") await sleep(500);
    expect(await health()).toBe("healthy");
    const address = await docker("port", container, "8787/tcp");
    expect(await namesOfEnvironments(`http://${address}`)).toEqual(["Default"]);
  } finally {
    await docker("rm", "--force", "--volumes", container);
    await docker("rmi", "--force", IMAGE);
  }
}

async function onThisMachine(): Promise<void> {
  const place = join(folder, "global");
  const [, install = ""] = /^RUN (.*)$/m.exec(dockerfile) ?? [];
  expect(install).toMatch(/^npm install --global \/packed/);
  const env = {
    ...process.env,
    npm_config_prefix: place,
    npm_config_prefer_offline: "true",
    PATH: [
      join(place, "bin"),
      dirname(process.execPath),
      process.env.PATH,
    ].join(delimiter),
  };
  const here = { cwd: folder, env };
  await run("sh", ["-c", install.replaceAll("/packed", "./packed")], here);
  const [command = "", ...args] = wordsOf("CMD");
  const keys = join(folder, "keys.json");
  const ready = join(folder, "ready.json");
  const service = spawn(
    command,
    [
      ...args
        .map((arg) => (arg === "/etc/devid/keys.json" ? keys : arg))
        .map((arg) => (arg === "0.0.0.0" ? "127.0.0.1" : arg)),
      ...["--port", "0", "--ready-file", ready],
    ],
    { ...here, stdio: ["ignore", "pipe", "inherit"] },
  );
  try {
    await once(service.stdout, "data");
    const { url } = JSON.parse(readFileSync(ready, "utf8")) as { url: string };
    const [node = "", flag = "", check = ""] = wordsOf("HEALTHCHECK");
    const asked = check.replace("http://127.0.0.1:8787", url);
    expect(asked).not.toBe(check);
    await run(node, [flag, asked], here);
    expect(await namesOfEnvironments(url)).toEqual(["Default"]);
  } finally {
    service.kill();
    await once(service, "exit");
  }
}

it("the container starts, becomes healthy and answers", async () => {
  const hasDocker = await run("docker", ["version"]).then(
    () => true,
    () => false,
  );
  await (hasDocker ? inContainer() : onThisMachine());
}, 600_000);
