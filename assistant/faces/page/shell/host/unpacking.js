// What is packed: gzip, and tar.

const BLOCK = 512;
const TEXT = new TextDecoder();

/** Write the files of a tar archive into a folder of Python's file system. */
export function unpack(data, FS, folder) {
  const made = new Set();
  for (let at = 0; at + BLOCK <= data.length && data[at]; ) {
    const field = (start, length) => TEXT.decode(data.subarray(at + start, at + start + length)).split("\0")[0];
    const number = (start, length) => parseInt(field(start, length), 8) || 0;
    const size = number(124, 12);
    const [name, above] = [field(0, 100), field(345, 155)];
    const path = `${folder}/${above ? `${above}/` : ""}${name}`;
    const parent = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(parent)) FS.mkdirTree(parent);
    made.add(parent);
    FS.writeFile(path, data.subarray(at + BLOCK, at + BLOCK + size), { canOwn: true });
    at += BLOCK * (1 + Math.ceil(size / BLOCK));
  }
}

/** What gzip has packed. A host may have unpacked it on the way. */
export async function inflate(packed) {
  if (packed[0] !== 0x1f || packed[1] !== 0x8b) return packed;
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
