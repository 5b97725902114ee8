import { SECRET_MARK, UNKNOWN_TEXT } from "../../definition/engine-names";
import {
  Secret,
  UNKNOWN,
  type Properties,
  type Value,
} from "../../definition/value";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";

// The engine's form of values that JSON does not have: an object with a signature, or a
// text that no program writes by chance (sdk/go/common/resource/sig and
// sdk/go/common/resource/plugin/rpc.go of Pulumi).

const [SIGNATURE, SECRET] = SECRET_MARK;
const OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
const RESOURCE = "5cf8f73096256a8f31e491e813e4eb8e";
const ASSET = "c44067f5952c0a294b673a41bacd8c17";
const ARCHIVE = "0def7320c3a5731c473e5ecbe6d01bc7";

/** The texts that stand for an unknown value, one for each type. */
const UNKNOWN_TEXTS = new Set([
  UNKNOWN_TEXT,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7", // a boolean
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421", // a number
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2", // an array
  "030794c1-ac77-496b-92df-f27374a8bd58", // an asset
  "e48ece36-62e2-4504-bad9-02848725956a", // an archive
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff", // an object
]);

type Json = Parameters<typeof Struct.fromJavaScript>[0][string];
type JsonObject = Record<string, Json>;

/**
 * The properties of a request as values of the lifecycle. Members whose names
 * begin with two underscores are left out: they belong to the engine or to
 * another provider of the resource.
 */
export function fromStruct(struct: Struct | undefined): Properties {
  const members = Object.entries(struct?.toJavaScript() ?? {});
  return Object.fromEntries(
    members
      .filter(([name]) => !name.startsWith("__"))
      .map(([name, value]) => [name, decode(value)]),
  );
}

/** Values of the lifecycle as the properties of an answer. Absent members are left out. */
export function toStruct(properties: Properties): Struct {
  return Struct.fromJavaScript(encodeMembers(properties));
}

function decode(value: Json): Value {
  if (typeof value === "string")
    return UNKNOWN_TEXTS.has(value) ? UNKNOWN : value;
  if (Array.isArray(value)) return value.map(decode);
  if (typeof value !== "object" || value === null) return value;
  const members = value as JsonObject;
  const { [SIGNATURE]: signature, ...fields } = members;
  switch (signature) {
    case undefined:
      return Object.fromEntries(
        Object.entries(members).map(([name, member]) => [name, decode(member)]),
      );
    case SECRET:
      return new Secret(decode(fields.value ?? null));
    case OUTPUT: {
      const { value = UNKNOWN_TEXT, secret } = fields;
      return secret === true ? new Secret(decode(value)) : decode(value);
    }
    case RESOURCE:
      return resourceId(fields);
    // No input takes an asset or an archive, so a check refuses its members.
    case ASSET:
    case ARCHIVE:
      return fields;
    default:
      throw new Error(
        `The engine sent a value with the signature ${JSON.stringify(signature)}, which this version of devid does not know; upgrade @devid/pulumi.`,
      );
  }
}

/** The ID of a resource that a program passes as a value; a resource without an ID is known by its URN. */
function resourceId({ id, urn }: JsonObject): Value {
  if (id === undefined) return urn;
  const known = decode(id);
  return known === "" ? UNKNOWN : known;
}

function encode(value: Value): Json {
  if (value === UNKNOWN) return UNKNOWN_TEXT;
  if (value instanceof Secret)
    return { value: encode(value.value ?? null), [SIGNATURE]: SECRET };
  if (Array.isArray(value)) return value.map(encode);
  return typeof value === "object" && value !== null
    ? encodeMembers(value as Properties)
    : (value as Json);
}

/**
 * The members of an object, without a member named like the signature. A visitor may
 * have sent such a member in an event, and the engine would read the object as a
 * secret.
 */
function encodeMembers(members: Properties): JsonObject {
  return Object.fromEntries(
    Object.entries(members)
      .filter(([name, member]) => name !== SIGNATURE && member !== undefined)
      .map(([name, member]) => [name, encode(member)]),
  );
}
