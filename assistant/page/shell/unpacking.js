// Archives: tar, as it is or packed with gzip.

const BLOCK = 512;
const [TYPE, FOLDER] = [156, "5".charCodeAt(0)];
const TEXT = new TextDecoder();

/** Write the files of an archive into a folder of Python's file system, with their dates. */
export async function unpack(archive, FS, folder) {
  const data = await inflated(archive);
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
    if (data[at + TYPE] !== FOLDER) {
      FS.writeFile(path, data.subarray(at + BLOCK, at + BLOCK + size), { canOwn: true });
      const date = number(136, 12) * 1000;
      FS.utime(path, date, date);
    }
    at += BLOCK * (1 + Math.ceil(size / BLOCK));
  }
}

/** What is packed. A host may have unpacked it on the way. */
async function inflated(archive) {
  if (archive[0] !== 0x1f || archive[1] !== 0x8b) return archive;
  const stream = new Blob([archive]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
