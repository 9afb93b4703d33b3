// What no form can do: light and dark at once, seats by drag, share, turn a card.
const root = document.documentElement;
const on = (event, selector, act) => document.addEventListener(event, e => {
  const hit = e.target.closest?.(selector);
  if (hit) act(hit, e);
});

// What a page shows of a form is up to date when the latest change has been answered;
// that is decided here alone. Every change has a number: it goes with the request, and
// the server writes it on the part that answers it. Nothing else gets into a page: no
// answer that is late, no sign-in page of a session that has expired, no error.
const changes = new WeakMap();
const first = Math.floor(Math.random() * 1e8); // no answer to another page has our number
const asker = source => source.closest("form") ?? source;
const change = form => {
  changes.set(form, (changes.get(form) ?? first) + 1);
  form.dataset.answer = "working";
  return changes.get(form);
};
const isLatest = ctx => changes.get(asker(ctx.sourceElement)) === ctx.change;
const answered = (ctx, how) => {
  if (!isLatest(ctx)) return;
  const form = asker(ctx.sourceElement);
  if (how) form.dataset.answer = how; else delete form.dataset.answer;
  form.dispatchEvent(new CustomEvent("answered", { detail: ctx }));
};
const onAnswer = (step, act) => document.addEventListener(`htmx:${step}`, e => act(e.detail.ctx, e));

on("input", "form[hx-post] :is(input, textarea)", field => change(field.form));
onAnswer("config:request", ctx => {
  ctx.change = change(asker(ctx.sourceElement));
  ctx.focused = document.activeElement.name;
  ctx.request.headers["Kontra-Change"] = ctx.change;
});
onAnswer("before:response", (ctx, e) => {
  const { status, headers } = ctx.response;
  if (isLatest(ctx) && headers.get("Kontra-Answers") === String(ctx.change)) return;
  e.preventDefault();
  answered(ctx, [502, 503, 504].includes(status) ? "unreached" : "unanswered");
});
onAnswer("before:swap", (ctx, e) => isLatest(ctx) || e.preventDefault()); // changed while it was read
onAnswer("after:swap", ctx => {
  answered(ctx);
  if (document.activeElement === document.body) asker(ctx.sourceElement).elements?.[ctx.focused]?.focus?.();
});
onAnswer("error", ctx => answered(ctx, "unreached"));

const ask = source => source.dispatchEvent(new Event("change", { bubbles: true }));
const askAgain = () => document.hidden || document.querySelectorAll('[hx-post][data-answer="unreached"]').forEach(ask);
setInterval(askAgain, 5000);
addEventListener("online", askAgain);

// Who has signed in anew on another page has another token: the cookie holds it.
document.addEventListener("formdata", ({ formData }) => {
  const token = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1];
  if (token && formData.has("csrfmiddlewaretoken")) formData.set("csrfmiddlewaretoken", token);
});

// Drafts are kept where the browser lets us; where it does not, all goes on without.
const drafts = {
  try: act => { try { return act(localStorage); } catch { return null; } },
  get: name => drafts.try(store => store.getItem(name)),
  keep: (name, text) => drafts.try(store => { store.setItem(name, text); return true; }),
  drop: name => drafts.try(store => store.removeItem(name)),
  names: () => drafts.try(store => Object.keys(store).filter(name => name.startsWith("kontra.draft."))) ?? [],
};

on("submit", "[data-light]", (form, e) => {
  e.preventDefault();
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `theme=${root.dataset.theme}; path=/; max-age=31536000; samesite=lax${secure}`;
  const body = new FormData(form);
  body.set("theme", root.dataset.theme);
  // The cookie is enough for this phone; who is signed in finds it on the next one.
  fetch(form.action, { method: "POST", body, redirect: "manual", keepalive: true }).catch(() => {});
});

on("click", "[data-turn]", button => button.closest(".trump").classList.toggle("turned"));

on("click", "[data-print]", () => print());

on("click", "[data-share]", async button => {
  const text = document.querySelector(button.dataset.share);
  if (navigator.share) return navigator.share({ text: text.value }).catch(() => {});
  text.select();
  // The clipboard is closed to plain http; the old way is not.
  if (navigator.clipboard) await navigator.clipboard.writeText(text.value); else document.execCommand("copy");
  document.querySelector(button.dataset.told).textContent = button.dataset.done;
});

// What is wrong is told at the button; the way to its field opens what it lies in.
on("click", "[data-jump]", (link, e) => {
  const place = document.querySelector(link.hash);
  if (!place) return;
  e.preventDefault();
  for (let fold = place.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  place.scrollIntoView({ block: "center" });
  const field = place.matches("input, select, textarea")
    ? place : place.querySelector("input:not([type=hidden]), select, textarea");
  field?.focus({ preventScroll: true });
});

// A second tap on a form's button must not send it twice.
const plate = form => [...form.elements].find(element => element.matches(".plate"));
on("submit", "form[data-once]", (form, e) => {
  if (form.dataset.sent) return e.preventDefault();
  form.dataset.sent = "yes";
  plate(form)?.setAttribute("aria-busy", "true");
});
addEventListener("pageshow", () => document.querySelectorAll("form[data-once]").forEach(form => {
  delete form.dataset.sent;
  plate(form)?.removeAttribute("aria-busy");
}));

// Back fetches a form anew: it gets the id again that it was sent with, and leads to what that made.
for (const id of document.querySelectorAll("input[data-id-kept]"))
  if (history.state?.id) id.value = history.state.id;
  else history.replaceState({ id: id.value }, "");

// A hand that arrived needs its draft no longer.
const shown = document.querySelector("[data-saved]")?.dataset;
const arrived = shown?.saved ?? new URLSearchParams(location.search).get("saved");
if (arrived) for (const name of drafts.names()) if (drafts.get(name).includes(arrived)) drafts.drop(name);

// A toast is shown once, not again when the page is loaded anew; nor is a hand sent again.
const asked = new URLSearchParams(location.search);
if (shown || ["saved", "done", "changed"].filter(once => asked.has(once) && !asked.delete(once)).length)
  history.replaceState(null, "", shown?.at ?? `${location.pathname}${asked.size ? `?${asked}` : ""}${location.hash}`);

// A plot tells what its table says where it is tapped, hovered over or slid to.
for (const plot of document.querySelectorAll("[data-plot]")) {
  const at = plot.dataset.plot.split(" "), svg = plot.querySelector("svg"), slide = plot.querySelector("input");
  const [head, ...rows] = plot.querySelectorAll("tr");
  slide.hidden = false;
  slide.oninput = () => {
    svg.lastElementChild.setAttribute("d", `M${at[slide.value]} 12V252`);
    const cells = [...rows[slide.value].cells];
    const said = cells.map((cell, i) => `${head.cells[i].textContent} ${cell.textContent}`).join(" · ");
    plot.querySelector("[data-said]").textContent = said;
    slide.setAttribute("aria-valuetext", said);
  };
  svg.onpointerdown = svg.onpointermove = e => {
    const box = svg.getBoundingClientRect(), far = x => Math.abs(x - (e.clientX - box.left) / box.width * 360);
    slide.value = at.reduce((best, x, i) => far(x) < far(at[best]) ? i : best, 0);
    slide.oninput();
  };
}

// Seats: who is chosen stands above the others, at the end of the row.
const chosen = seat => seat.querySelector("[name=player]").checked;

on("change", ".seat [name=player]", box => {
  const seat = box.closest(".seat"), list = seat.parentElement;
  const others = [...list.children].filter(other => other !== seat);
  const place = others.filter(chosen).at(-1);
  if (place) place.after(seat); else list.prepend(seat);
  const deals = seat.querySelector("[name=dealer]");
  if (!box.checked && deals) deals.checked = false;
  box.focus();
});

// Enter on a phone's keyboard means the button beside the field.
on("keydown", "[name=new_player]", (field, e) => {
  if (e.key !== "Enter") return;
  e.preventDefault();
  field.form.querySelector("[name=add]").click();
});

on("click", ".seat > [data-move]", (button, e) => {
  e.preventDefault();
  const seat = button.closest(".seat"), up = button.dataset.move === "up";
  const next = up ? seat.previousElementSibling : seat.nextElementSibling;
  if (!next || !chosen(next)) return;
  if (up) next.before(seat); else next.after(seat);
  button.focus();
});

on("pointerdown", ".seat > .grip", (grip, e) => {
  const seat = grip.closest(".seat"), list = seat.parentElement;
  if (!chosen(seat)) return;
  e.preventDefault();
  grip.setPointerCapture(e.pointerId);
  seat.classList.add("held");
  // The others step aside: a node that itself moves would lose the finger.
  const pass = (step, place, last) => {
    for (let other; other !== last; ) seat[place](other = seat[step]);
  };
  const drag = move => {
    const over = [...list.children].find(other => {
      const box = other.getBoundingClientRect();
      return other !== seat && chosen(other) && move.clientY >= box.top && move.clientY <= box.bottom;
    });
    if (!over) return;
    const above = over.compareDocumentPosition(seat) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (above) pass("previousElementSibling", "after", over); else pass("nextElementSibling", "before", over);
  };
  const drop = () => {
    seat.classList.remove("held");
    grip.removeEventListener("pointermove", drag);
  };
  grip.addEventListener("pointermove", drag);
  grip.addEventListener("lostpointercapture", drop, { once: true });
});
