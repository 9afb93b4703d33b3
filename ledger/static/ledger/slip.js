// The slip works as plain radios and checkboxes; this makes it answer before the server does.
// Whether the plate is up to date is known in kontra.js.
root.classList.add("scripted");
{
  const form = document.querySelector("[data-slip]");

  // One chip climbs the contra ladder; the radios beside it keep the level.
  on("click", ".slip .contra", chip => {
    const steps = [...chip.parentElement.querySelectorAll("input")];
    const level = (steps.findIndex(step => step.checked) + 1) % steps.length;
    chip.dataset.level = chip.querySelector(".gate").dataset.level = level;
    chip.querySelector(".word").textContent = chip.dataset.words.split("|")[level];
    chip.querySelector(".factor").textContent = level ? `×${2 ** level}` : "";
    chip.querySelector(".next").textContent = "";
    steps[level].checked = true;
    ask(steps[level]);
  });

  document.addEventListener("change", e => {
    const input = e.target, slip = input.closest("[data-slip]");
    if (!slip) return;
    // A side has one line for a bonus: the cell tapped last.
    if (input.dataset.side && input.checked) {
      for (const other of input.closest(".bonus").querySelectorAll("[data-side]"))
        if (other !== input && other.dataset.side === input.dataset.side) other.checked = false;
    }
    if (input.name === "declarer")
      for (const chip of slip.querySelectorAll(".partner .chip"))
        chip.classList.toggle("own", chip.firstElementChild.value === input.value);
    if (input.name === "resting") slip.elements["rest-by-hand"].checked = true;
    // A result that is tapped replaces one that was counted.
    if (input.name === "won") {
      slip.elements.card_points.value = "";
      slip.elements.pile.checked = false;
    }
  }, true);

  on("click", "[data-step]", button => {
    const tricks = button.form.elements["pile-tricks"];
    tricks.value = Math.max(0, Number(tricks.value) + Number(button.dataset.step));
    ask(tricks);
  });

  on("click", "[data-more]", button => {
    const open = button.closest(".dock").toggleAttribute("data-open");
    button.setAttribute("aria-expanded", open);
  });

  // What is typed is answered when the scorer pauses, not only when he leaves the field.
  let pause;
  on("input", "[data-slip] .input", field => {
    clearTimeout(pause);
    pause = setTimeout(ask, 400, field);
  });

  // An answer is to all that is tapped, and also says what cannot be any more; left to
  // itself the browser would show a chip as it was tapped.
  form.addEventListener("htmx:after:swap", () => {
    for (const input of form.elements)
      if (/radio|checkbox/.test(input.type)) input.checked = input.defaultChecked;
  });

  let sent = false;
  form.addEventListener("submit", () => { sent = true; });
  form.addEventListener("formdata", ({ formData }) => {
    formData.set("shows", "on"); // the table, at once
    if (form.dataset.answer) formData.delete("override"); // of a warning that nobody has seen
  });

  // Every tap is kept in the browser until the hand is saved; a reload, a turned
  // phone or a lost session takes nothing away.
  const place = "kontra.draft." + form.getAttribute("action");
  const keep = () => {
    if (draft) return;
    const entries = [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken");
    form.toggleAttribute("data-unkept", !drafts.keep(place, JSON.stringify(entries)));
  };
  form.addEventListener("change", keep);
  form.addEventListener("input", keep);
  on("click", "[data-leave]", () => drafts.drop(place));
  on("click", "[data-afresh]", () => {
    drafts.drop(place);
    location.replace(form.action);
  });
  on("click", "[data-anew]", link => {
    if ("unkept" in form.dataset) link.target = "_blank"; // nothing but this page has it
  });

  // A draft comes back as if it were tapped anew, and nothing can be tapped meanwhile.
  // One whose hand has arrived is needed no longer.
  let draft = window.htmx && "blank" in form.dataset && drafts.get(place);
  form.inert = Boolean(draft);
  // This script may come before htmx has looked at the page, or after that.
  const asked = "htmxPowered" in form.dataset;
  form.addEventListener("htmx:after:init", () => draft && !asked && ask(form));
  form.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
    if (!draft) return;
    const body = new FormData();
    for (const [name, value] of JSON.parse(draft)) body.append(name, value);
    body.append("csrfmiddlewaretoken", ctx.request.body.get("csrfmiddlewaretoken"));
    ctx.request.body = body;
  });
  form.addEventListener("htmx:before:swap", e => {
    const { ctx } = e.detail;
    if (!draft || !ctx.response.headers.has("Kontra-Saved")) return;
    e.preventDefault();
    drafts.drop(place);
    draft = null;
    answered(ctx);
  });
  form.addEventListener("answered", () => {
    if (form.dataset.answer === "unreached") return; // it is asked again
    if (draft && !form.dataset.answer) form.querySelector("[data-kept]").hidden = false;
    draft = null;
    form.inert = false;
  });
  if (draft && asked) ask(form);

  // Who goes back to a slip that was sent gets a blank one, and the way to correct it.
  addEventListener("pageshow", e => {
    if (!e.persisted || !sent) return;
    form.inert = true; // what is tapped in a page that goes would be lost
    location.replace(form.action + "?back");
  });
  const navigation = performance.getEntriesByType("navigation")[0]?.type;
  const cameBack = navigation === "back_forward" || location.search === "?back";
  if (cameBack) form.querySelector("[data-come-back]")?.removeAttribute("hidden");
}
