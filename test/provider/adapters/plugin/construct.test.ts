import {
  Server,
  ServerCredentials,
  type sendUnaryData,
  type ServerUnaryCall,
} from "@grpc/grpc-js";
import { Alias } from "@pulumi/pulumi/proto/alias_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import {
  RegisterResourceResponse,
  type ResourceInvokeRequest,
  type RegisterResourceOutputsRequest,
  type RegisterResourceRequest,
} from "@pulumi/pulumi/proto/resource_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  vi,
} from "vitest";
import { construct } from "../../../../provider/src/adapters/plugin/construct";
import { loadKind } from "../../../../provider/src/kinds";
import { struct, type Properties } from "../../../helpers/dynamic-host";
import { plain, secret, UNKNOWN_TEXT } from "../../../helpers/plugin-host";

// The part of the engine that registers the resources of a component, as far as these tests need it.

const STACK = "urn:pulumi:dev::shop::";
const COMPONENT = `${STACK}devid:index:RotatingApiKey::server`;
const KEY = "devid:index:ApiKey";
const EU = `${STACK}pulumi:providers:devid::eu::1`;
const OWN = `${STACK}pulumi:providers:devid::default::2`;
const ELSEWHERE = `${STACK}devid:index:Environment::staging`;

let server: Server;
let address: string;
let registered: RegisterResourceRequest[] = [];
let finished: Properties[] = [];
/** Whether the engine runs a preview, in which IDs and tokens are unknown. */
let isPreview = false;
let refusal: string | undefined;
/** Whether the state of the key has no token, as after the recovery of a key. */
let isTokenLost = false;
/** Whether the engine never finishes the keys, as when another resource fails. */
let isHalted = false;
/** URNs in the state of the stack. */
let inState: string[] = [];
let asked: string[] = [];

beforeAll(async () => {
  server = new Server();
  server.addService(ResourceMonitorService, {
    registerResource(
      { request }: ServerUnaryCall<RegisterResourceRequest, unknown>,
      done: sendUnaryData<RegisterResourceResponse>,
    ) {
      registered.push(request);
      if (isHalted && request.getCustom()) return;
      if (refusal !== undefined && request.getCustom())
        return done({ code: 2, details: refusal });
      const name = request.getName();
      const type = request.getCustom()
        ? `devid:index:RotatingApiKey$${KEY}`
        : request.getType();
      const token = isPreview ? UNKNOWN_TEXT : secret(`token of ${name}`);
      const { type: ofKey } = plain(request.getObject());
      const state = { type: ofKey, ...(!isTokenLost && { token }) };
      done(
        null,
        new RegisterResourceResponse()
          .setUrn(`${STACK}${type}::${name}`)
          .setId(isPreview || !request.getCustom() ? "" : `${name}-id`)
          .setObject(struct(request.getCustom() ? state : {})),
      );
    },
    invoke(
      { request }: ServerUnaryCall<ResourceInvokeRequest, unknown>,
      done: sendUnaryData<proto.InvokeResponse>,
    ) {
      asked.push(
        `${request.getTok()} ${String(plain(request.getArgs()).stackName)}`,
      );
      const outputs = Object.fromEntries(inState.map((urn) => [urn, {}]));
      done(null, new proto.InvokeResponse().setReturn(struct({ outputs })));
    },
    registerResourceOutputs(
      { request }: ServerUnaryCall<RegisterResourceOutputsRequest, unknown>,
      done: sendUnaryData<Empty>,
    ) {
      finished.push({
        urn: request.getUrn(),
        ...plain(request.getOutputs()),
      });
      done(null, new Empty());
    },
  });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync(
      "127.0.0.1:0",
      ServerCredentials.createInsecure(),
      (error, bound) => (error ? reject(error) : resolve(bound)),
    ),
  );
  address = `127.0.0.1:${port}`;
});
afterAll(() => server.forceShutdown());
beforeEach(() => {
  registered = [];
  finished = [];
  isPreview = false;
  refusal = undefined;
  isTokenLost = false;
  isHalted = false;
  inState = [];
  asked = [];
});

const INPUTS = { name: "Server", type: "secret", generations: ["1", "2"] };

const request = (inputs: Properties = INPUTS) =>
  new proto.ConstructRequest()
    .setMonitorendpoint(address)
    .setType("devid:index:RotatingApiKey")
    .setName("server")
    .setInputs(struct(inputs));

/** The end of a command that the engine does not end early. */
const NEVER = new Promise(() => undefined);

const constructed = async (
  one: proto.ConstructRequest = request(),
  provider?: string,
  ended = NEVER,
) => {
  const made = await construct(one, {
    kinds: loadKind,
    ended,
    ...(provider !== undefined && { provider }),
  });
  return {
    urn: made.getUrn(),
    state: plain(made.getState()),
    dependencies: Object.fromEntries(
      made
        .getStatedependenciesMap()
        .getEntryList()
        .map(([name]) => [
          name,
          made.getStatedependenciesMap().get(name)?.getUrnsList(),
        ]),
    ),
  };
};

describe("a change that replaces every key of a RotatingApiKey at once", () => {
  const key = (generation: string) =>
    `${STACK}devid:index:RotatingApiKey$${KEY}::server-${generation}`;
  const warnings = async (
    generations: readonly string[],
    before: readonly string[],
    isDryRun = true,
  ) => {
    inState = [COMPONENT, ...before.map(key)];
    const shown: string[] = [];
    const one = request({ ...INPUTS, generations: [...generations] })
      .setDryrun(isDryRun)
      .setProject("shop")
      .setStack("prod");
    await construct(one, {
      kinds: loadKind,
      ended: NEVER,
      log: (severity, text, urn) => {
        shown.push(`${severity} ${urn}: ${text}`);
        return Promise.resolve();
      },
    });
    return shown;
  };

  it("causes a warning in a preview", async () => {
    const [warning, ...others] = await warnings(["3"], ["1", "2"]);
    expect(others).toEqual([]);
    expect(warning).toContain(
      `warning ${COMPONENT}: The RotatingApiKey "server"`,
    );
    expect(warning).toContain(
      'add the new generation after the old one, ["1", "2", "3"]',
    );
    expect(asked).toEqual([
      "pulumi:pulumi:readStackResourceOutputs organization/shop/prod",
    ]);
  });

  it("causes no warning in an update, which still asks the engine for the state, because a saved plan does so", async () => {
    expect(await warnings(["3"], ["1"], false)).toEqual([]);
    expect(asked).toHaveLength(1);
  });

  it.each([
    [["1", "2"], ["1"]],
    [["2"], ["1", "2"]],
    [["1"], []],
  ])("does not include %j after %j", async (generations, before) => {
    expect(await warnings(generations, before)).toEqual([]);
  });
});

const keys = () => registered.filter((one) => one.getCustom());

describe("a RotatingApiKey of the plugin", () => {
  it("registers itself and one key for each generation, and returns the ID and token of the last key", async () => {
    const last = `${STACK}devid:index:RotatingApiKey$${KEY}::server-2`;
    expect(await constructed()).toEqual({
      urn: COMPONENT,
      state: { keyId: "server-2-id", token: secret("token of server-2") },
      dependencies: { keyId: [last], token: [last] },
    });
    const [component] = registered;
    expect(component?.getType()).toBe("devid:index:RotatingApiKey");
    expect(component?.getCustom()).toBe(false);
    expect(
      keys().map((key) => ({
        type: key.getType(),
        name: key.getName(),
        parent: key.getParent(),
        inputs: plain(key.getObject()),
        aliases: key
          .getAliasesList()
          .map((alias) => alias.getSpec()?.getType()),
      })),
    ).toEqual(
      ["1", "2"].map((generation) => ({
        type: KEY,
        name: `server-${generation}`,
        parent: COMPONENT,
        inputs: { name: `Server ${generation}`, type: "secret" },
        aliases: ["pulumi-nodejs:dynamic/devid:ApiKey"],
      })),
    );
    // The state of the key has the token. The state of the component does not repeat it.
    expect(finished).toEqual([{ urn: COMPONENT, keyId: "server-2-id" }]);
  });

  it("passes on secrets, unknown values and dependencies", async () => {
    const one = request({
      ...INPUTS,
      name: secret("Server"),
      environment: UNKNOWN_TEXT,
      generations: secret(["1"]),
    });
    const from = new proto.ConstructRequest.PropertyDependencies();
    one
      .getInputdependenciesMap()
      .set("environment", from.setUrnsList([ELSEWHERE]));
    await constructed(one);
    const [key] = keys();
    expect(plain(key?.getObject())).toEqual({
      name: secret("Server 1"),
      type: "secret",
      environment: UNKNOWN_TEXT,
    });
    expect(key?.getDependenciesList()).toEqual([ELSEWHERE]);
    const own = key?.getPropertydependenciesMap();
    expect(own?.get("environment")?.getUrnsList()).toEqual([ELSEWHERE]);
    expect(own?.get("name")?.getUrnsList()).toEqual([]);
    expect(key?.getAdditionalsecretoutputsList()).toEqual(["token"]);
  });

  it("returns unknown outputs in a preview that creates the keys", async () => {
    isPreview = true;
    expect((await constructed()).state).toEqual({
      keyId: UNKNOWN_TEXT,
      token: secret(UNKNOWN_TEXT),
    });
  });

  it("gets the options of the program, and hands the provider to its keys", async () => {
    const alias = new Alias().setUrn(`${STACK}devid:index:RotatingApiKey::old`);
    const one = request()
      .setParent(`${STACK}box::box`)
      .setProtect(true)
      .setRetainondelete(true)
      .setDependenciesList([ELSEWHERE])
      .setDeletedwith(ELSEWHERE)
      .setAliasesList([alias])
      .setCustomtimeouts(
        new proto.ConstructRequest.CustomTimeouts().setCreate("5m"),
      );
    one.getProvidersMap().set("devid", EU);
    await constructed(one, OWN);
    const [component] = registered;
    expect(component?.toObject()).toMatchObject({
      parent: `${STACK}box::box`,
      protect: true,
      retainondelete: true,
      dependenciesList: [ELSEWHERE],
      deletedwith: ELSEWHERE,
      aliasesList: [alias.toObject()],
      customtimeouts: { create: "5m" },
      providersMap: [["devid", EU]],
    });
    for (const key of keys())
      expect(key.toObject()).toMatchObject({
        provider: EU,
        dependenciesList: [ELSEWHERE],
      });
  });

  it("uses the constructing provider for its keys when the program names no provider", async () => {
    await constructed(request(), OWN);
    expect(keys().map((key) => key.getProvider())).toEqual([OWN, OWN]);
  });

  it("is constructed beside others, and each has its own connection to the engine", async () => {
    const names = ["a", "b", "c"];
    const made = await Promise.all(
      names.map((name) => constructed(request().setName(name))),
    );
    expect(made.map(({ state }) => state.keyId)).toEqual(
      names.map((name) => `${name}-2-id`),
    );
    expect(registered).toHaveLength(9);
  });

  it.each([
    [{ generations: [] }, "generations: has no generation;"],
    [{ generations: ["1", "1"] }, 'generations: has the generation "1" twice'],
    [{ generations: ["1", UNKNOWN_TEXT] }, "generations: is not known before"],
    [{ generations: UNKNOWN_TEXT }, "generations: is not known before"],
    [{ rateLimit: 0 }, "rateLimit: must be at least 0.1"],
    [{ rotation: "1" }, "rotation: is not a property here"],
  ])("registers nothing with %j", async (wrong, reason) => {
    const made = constructed(request({ ...INPUTS, ...wrong }));
    await expect(made).rejects.toThrow(reason);
    expect(registered).toEqual([]);
  });

  it("quotes no secret when it refuses an input", async () => {
    const wrong = { ...INPUTS, type: secret("canary-4711") };
    const said = await constructed(request(wrong)).then(
      () => "",
      (error: Error) => error.message,
    );
    expect(said).toMatch(/type: /);
    expect(said).not.toContain("canary");
  });

  it("fails when the token of the last generation is lost, and says what to do", async () => {
    isTokenLost = true;
    await expect(constructed()).rejects.toThrow(
      /^ApiKey "server-2" has no token: .* replace this generation by another text/,
    );
    const ofPages = request({ ...INPUTS, type: "public" });
    await expect(constructed(ofPages)).rejects.toThrow(
      /^ApiKey "server-2" has no token: .*Run `pulumi refresh --run-program`, which reads it\.$/,
    );
    isPreview = true;
    const { state } = await constructed(request().setDryrun(true));
    expect(state.token).toEqual(secret(UNKNOWN_TEXT));
  });

  it("returns unknown outputs when the engine ends before its keys are finished", async () => {
    isHalted = true;
    const ended = vi.waitFor(() => expect(keys()).toHaveLength(2), 10_000);
    const made = constructed(request(), OWN, ended);
    expect(await made).toEqual({
      urn: COMPONENT,
      state: { keyId: UNKNOWN_TEXT, token: UNKNOWN_TEXT },
      dependencies: {},
    });
    expect(finished).toEqual([]);
  });

  it("fails with the message of the engine about a key", async () => {
    refusal = "resource monitor shut down";
    await expect(constructed()).rejects.toThrow(refusal);
    expect(finished).toEqual([]);
  });
});

it("another component is refused with the name of the existing component", async () => {
  const other = request().setType("devid:index:Rotating");
  await expect(constructed(other)).rejects.toThrow(
    "devid has no component devid:index:Rotating; it has devid:index:RotatingApiKey.",
  );
});
