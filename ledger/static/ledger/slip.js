// The slip works as plain radios and checkboxes; this makes it answer before the server does.
document.documentElement.classList.add("scripted");
{
  const on = (event, selector, act) => document.addEventListener(event, e => {
    const hit = e.target.closest?.(selector);
    if (hit) act(hit, e);
  });
  const changed = input => input.dispatchEvent(new Event("change", { bubbles: true }));

  // One chip climbs the contra ladder; the radios beside it keep the level.
  on("click", ".slip .contra", chip => {
    const steps = [...chip.parentElement.querySelectorAll("input")];
    // What is checked is the truth: a late answer may have put older words on the chip.
    const level = (steps.findIndex(step => step.checked) + 1) % steps.length;
    chip.dataset.level = chip.querySelector(".gate").dataset.level = level;
    chip.querySelector(".word").textContent = chip.dataset.words.split("|")[level];
    chip.querySelector(".factor").textContent = level ? `×${2 ** level}` : "";
    chip.querySelector(".next").textContent = "";
    steps[level].checked = true;
    changed(steps[level]);
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
        chip.classList.toggle("own", chip.firstChild.value === input.value);
    // A result that is tapped replaces one that was counted.
    if (input.name === "won") {
      slip.elements.card_points.value = "";
      slip.elements.pile.checked = false;
    }
  }, true);

  on("click", "[data-step]", button => {
    const tricks = button.form.elements["pile-tricks"];
    tricks.value = Math.max(0, Number(tricks.value) + Number(button.dataset.step));
    changed(tricks);
  });

  on("click", "[data-more]", button => {
    const open = button.closest(".dock").toggleAttribute("data-open");
    button.setAttribute("aria-expanded", open);
  });

  // Every tap is kept in the browser until the hand is saved; a reload, a turned
  // phone or a lost session takes nothing away.
  const form = document.querySelector("[data-slip]");
  const place = "kontra.draft." + form.getAttribute("action");
  const keep = () => localStorage.setItem(place, JSON.stringify([...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken")));
  form.addEventListener("formdata", e => e.formData.set("shows", "on")); // the table, at once
  form.addEventListener("change", keep);
  form.addEventListener("input", keep);

  const restore = async entries => {
    const body = new FormData();
    for (const [name, value] of entries) body.append(name, value);
    const answer = await fetch(form.getAttribute("hx-post"), {
      method: "POST", body, headers: { "HX-Request": "true", "X-CSRFToken": form.elements.csrfmiddlewaretoken.value },
    });
    if (!answer.ok) return;
    form.innerHTML = await answer.text();
    form.querySelector("[data-kept]").hidden = false;
  };
  const kept = localStorage.getItem(place);
  if (kept && "blank" in form.dataset) restore(JSON.parse(kept)).catch(() => {});

  on("click", "[data-leave]", () => localStorage.removeItem(place));
  on("click", "[data-afresh]", () => {
    localStorage.removeItem(place);
    location.reload();
  });
}
