// A photo of the owner's printed map, from the file that he chooses to where his pack lies. It is decoded in this browser, made no larger
// than is of use, and written anew as a JPEG: what else the file held, such as where it was taken, goes nowhere.

import { inBase64 } from "../common/files.js";

const HEAD = 500_000; // bytes of a file in which its size stands
const PIXELS = 20_000_000; // of a photo that is kept, at most
const TRIES = [[1, 0.86], [1, 0.75], [0.7, 0.75], [0.5, 0.6]]; // how large, and how well, until it is small enough

/** Keep a photo beside the pack. about(request): its response; limits: as the list of photos has them; tell(words): how far it is. Resolves to { id, photos }, or to
 * a refusal. */
export async function keepPhoto(file, about, limits, tell) {
  if (file.size > limits.file) return refused(`${file.name} is too large`, `at most ${Math.floor(limits.file / 2 ** 20)} MiB; save it smaller`);
  tell("Reading the picture …");
  const measured = await about({ do: "measure", head: await inBase64(file.slice(0, HEAD)), size: file.size });
  if (measured.is !== "picture") return measured;
  const drawn = await redraw(file, measured, limits.most).catch(() => null);
  if (!drawn) return refused(`${file.name} cannot be read by this browser`, "save it again as JPEG");
  const id = newId(), parts = Math.ceil(drawn.blob.size / limits.part);
  let answer = null;
  for (let part = 0; part < parts; part += 1) {
    tell(`Saving the photo: ${Math.round((100 * part) / parts)} %`);
    const data = await inBase64(drawn.blob.slice(part * limits.part, (part + 1) * limits.part));
    answer = await about({ do: "put-photo", photo: id, title: file.name, width: drawn.width, height: drawn.height, part, parts, data });
    if (answer.is !== "photos") return answer;
  }
  return { is: "kept", id, photos: answer.photos };
}

/** The picture as a JPEG that is small enough. */
async function redraw(file, { width, height }, most) {
  const share = Math.min(1, Math.sqrt(PIXELS / (width * height)));
  const options = share < 1 ? { resizeWidth: Math.round(width * share), resizeQuality: "high" } : {}; // the width alone: a camera may have stored it on its side
  const whole = await createImageBitmap(file, options).catch(() => createImageBitmap(file));
  const smaller = Math.min(1, Math.sqrt(PIXELS / (whole.width * whole.height)));
  try {
    for (const [larger, quality] of TRIES) {
      const size = { width: Math.round(whole.width * smaller * larger), height: Math.round(whole.height * smaller * larger) };
      const canvas = Object.assign(document.createElement("canvas"), size);
      canvas.getContext("2d").drawImage(whole, 0, 0, size.width, size.height);
      const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
      if (blob && blob.size <= most) return { blob, ...size };
    }
    return null;
  } finally {
    whole.close(); // up to 80 MB, which would wait for the browser to look for what is unused
  }
}

/** The address of a JPEG that has come in base64. */
export const addressOf = (data) => URL.createObjectURL(new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))], { type: "image/jpeg" }));

const newId = () => [...crypto.getRandomValues(new Uint8Array(10))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const refused = (what, hint) => ({ is: "refused", what, hint, where: "" });
