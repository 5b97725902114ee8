// Declares a key, to which a transform gives an option of transforms.json beside it.
const pulumi = require("@pulumi/pulumi");
const { package, by, option } = require("./transforms.json");
const devid = require(package);

const staging = () => environment;
const transform = ({ type, props, opts }) => {
  if (!type.endsWith("ApiKey")) return undefined;
  const added =
    option === "deletedWith"
      ? { deletedWith: staging() }
      : { [option]: ["nmae"] };
  return { props, opts: { ...opts, ...added } };
};
if (by === "stack") pulumi.runtime.registerResourceTransform(transform);
if (by === "old stack") pulumi.runtime.registerStackTransformation(transform);
const environment = new devid.Environment("staging", { name: "Staging" });
const box = new pulumi.ComponentResource(
  "test:Component",
  "box",
  {},
  by === "parent" ? { transforms: [transform] } : {},
);
const parent = by === "parent" ? { parent: box } : {};
const own = by === "resource" ? { transforms: [transform] } : {};
const args = { name: "Till", type: "public", environment: environment.id };
new devid.ApiKey("till", args, { ...parent, ...own });
