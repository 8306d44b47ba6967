// Files that the reader chooses.

/** Choose a file. accept: its kinds, "" for all. Resolves to it, null for none. */
export function chooseFile(accept) {
  for (const before of document.querySelectorAll(".chosen-file")) before.remove(); // older browsers do not tell that one was given up
  const input = Object.assign(document.createElement("input"), { type: "file", accept });
  input.className = "chosen-file";
  document.body.append(input); // some browsers open no other one
  return new Promise((resolve) => {
    input.addEventListener("change", () => resolve(input.files[0] ?? null), { once: true });
    input.addEventListener("cancel", () => resolve(null), { once: true });
    input.click();
  }).finally(() => input.remove());
}

/** What a file or a part of one holds, in base64. */
export async function inBase64(blob) {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return btoa(text);
}
