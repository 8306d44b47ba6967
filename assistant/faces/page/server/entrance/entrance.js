// Exchanges the token in the address for a session, and opens the table.

const said = document.getElementById("said");
const asked = said.textContent;
const token = location.hash.slice(1);
history.replaceState(null, "", location.pathname); // the token has had its use

async function enter() {
  const response = await fetch("enter", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token }),
  });
  if (response.ok) location.reload();
  else if (response.status === 503) said.textContent = "The laptop cannot let anybody in just now. Open the link once more.";
  else said.textContent = token ? `This link has been used, or is not known. ${asked}` : asked;
}

said.textContent = "Opening the table ...";
enter().catch(() => {
  said.textContent = "The laptop does not answer. Is this device in the same network?";
});
