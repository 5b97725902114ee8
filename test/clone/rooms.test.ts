import { roomsAreKept } from "../helpers/rooms";

roomsAreKept(
  "clone/src",
  {
    read: [],
    compare: ["read"],
    declare: ["read"],
    drift: ["read"],
    write: ["declare", "read"],
  },
  ["index.ts"],
);
