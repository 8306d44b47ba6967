// What is packed: gzip, and tar.

const BLOCK = 512;
const TEXT = new TextDecoder();

/** Write the files of a tar archive into a folder of Python's file system. */
export function unpack(data, FS, folder) {
  const made = new Set();
  for (const [name, content] of filesIn(data)) {
    const path = `${folder}/${name}`;
    const parent = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(parent)) FS.mkdirTree(parent);
    made.add(parent);
    FS.writeFile(path, content, { canOwn: true });
  }
}

/** The files of a tar archive: the path of each, and a view of its bytes. */
export function* filesIn(data) {
  for (let at = 0; at + BLOCK <= data.length && data[at]; ) {
    const field = (start, length) => TEXT.decode(data.subarray(at + start, at + start + length)).split("\0")[0];
    const size = parseInt(field(124, 12), 8) || 0;
    const [name, above] = [field(0, 100), field(345, 155)];
    yield [above ? `${above}/${name}` : name, data.subarray(at + BLOCK, at + BLOCK + size)];
    at += BLOCK * (1 + Math.ceil(size / BLOCK));
  }
}

/** What gzip has packed. A host may have unpacked it on the way. */
export async function inflate(packed) {
  if (packed[0] !== 0x1f || packed[1] !== 0x8b) return packed;
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
