import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request, type IncomingMessage } from "node:http";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { LocalWorkspace } from "../helpers/local-workspace";
import { openForTests } from "../helpers/open-for-tests";
import { DevidProcess } from "./devid-process";

// What docs/troubleshooting.md quotes is what devid and the local service print.

const PAGE = readFileSync(
  resolve(__dirname, "../../docs/troubleshooting.md"),
  "utf8",
);

const workspace = openForTests(new LocalWorkspace());

/** The quote of a section of the page, up to its ellipsis. */
function quoted(heading: string): string {
  const section = PAGE.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const quote = /^```console\n(.*?)^```$/ms.exec(section)?.[1] ?? "";
  expect(quote, heading).not.toBe("");
  return quote.split("...")[0]?.trim() ?? "";
}

it("quotes the error of a port in use", async () => {
  const { port } = new URL(workspace.url);
  const { stderr } = await DevidProcess.run(["serve", "--port", port]);
  expect(stderr.replaceAll(port, "8787").trim()).toBe(
    quoted("Port 8787 is in use"),
  );
});

it("quotes the refusal of another Host", async () => {
  const headers = { host: "devid.example" };
  const call = request(`${workspace.url}/management/environments`, { headers });
  call.end();
  const [response] = (await once(call, "response")) as [IncomingMessage];
  const answer = await text(response);
  expect(answer).toContain(
    quoted("403: the header Host must name a loopback host"),
  );
});

it("quotes the error of a key of another region", async () => {
  const { stderr } = await DevidProcess.run(["events", "search"], {
    ...workspace.env,
    DEVID_REGION: "eu",
  });
  expect(stderr.replace("without a filter", "by start, end")).toContain(
    quoted("403 wrong_region"),
  );
});

it("quotes the hint of an empty search", async () => {
  const { stderr } = await DevidProcess.run(
    ["events", "search"],
    workspace.env,
  );
  expect(stderr.trim()).toBe(quoted("A search finds no events"));
});

it("quotes the error of a device without reputation", async () => {
  const { stderr } = await DevidProcess.run(
    ["drn", "get", "nobody"],
    workspace.env,
  );
  expect(stderr).toContain(
    quoted("A device without reputation stops a preview"),
  );
});

it("quotes the error of a service that is not reached", async () => {
  const { stderr } = await DevidProcess.run(["whoami"], {
    ...workspace.env,
    DEVID_ENDPOINT: "http://127.0.0.1:9",
  });
  expect(
    stderr
      .trim()
      .replace("http://127.0.0.1:9", "https://service.example")
      .replace(/\d+ attempts?/, "5 attempts"),
  ).toBe(quoted("The service could not be reached"));
});

it("quotes the refusal to send a key without encryption", async () => {
  const { stderr } = await DevidProcess.run(["whoami"], {
    ...workspace.env,
    DEVID_ENDPOINT: "http://192.0.2.1",
  });
  expect(stderr).toContain(quoted("A key would be sent without encryption"));
});
