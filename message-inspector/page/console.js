// Messages as text, with what they led to.

import { h, link, replace } from "./dom.js";

export default {
  name: "console", title: "Console",
  open(root, { source, trouble }) {
    const input = h("input", { type: "text", id: "line", autocomplete: "off", spellcheck: "false", "aria-label": "Message to send", "data-search": true, placeholder: "send goblin* Damage(amount: 3)", disabled: !source.writable });
    const [words, log] = [h("ul", { class: "words", "aria-label": "Completions" }), h("ol", { class: "log", "aria-live": "polite" })];
    const form = h("form", { class: "consoleline" }, input, h("button", { class: "main", disabled: !source.writable }, "Run"));
    root.append(h("h2", {}, "Console"),
      source.writable ? h("p", { class: "quiet" }, h("code", {}, "send WHO MESSAGE"), ", ", h("code", {}, "post WHO SECONDS MESSAGE"), " or ", h("code", {}, "help"), ". WHO is a name with wildcards, #id, @mnemonic, %group or Everyone. ", h("kbd", {}, "Tab"), " completes.")
        : h("p", { class: "quiet" }, source.isLive ? "This program only lets you look. It lets you act when it is started writable." : "A recording cannot be sent to."),
      form, words, log);
    const history = [];
    let [at, known] = [0, { begin: 0, words: [] }];
    const take = (word) => { input.value = input.value.slice(0, known.begin) + word; input.focus(); complete(); };
    const complete = async () => {
      if (!source.writable) return;
      const line = input.value.slice(0, input.selectionEnd ?? undefined);
      try { known = await source.get("console/complete", { line }); } catch { known = { begin: 0, words: [] }; }
      replace(words, known.words.slice(0, 12).map((it) => h("li", {}, h("button", { type: "button", title: it.about ?? it.kind, onclick: () => take(it.word) }, it.word))));
    };
    input.addEventListener("input", complete);
    input.addEventListener("keydown", (event) => {
      if (event.key === "Tab" && !event.shiftKey && known.words.length && input.value) { event.preventDefault(); take(known.words[0].word); }
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (step && history.length) { at = Math.max(0, Math.min(history.length, at + step)); input.value = history[at] ?? ""; event.preventDefault(); }
    });
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const line = input.value.trim();
      if (!line) return;
      history.push(line);
      at = history.length;
      try {
        const answer = await source.post("console", { line });
        const isNobody = (it) => it.receipt && !it.receipt.received && !it.receipt.pending && !it.receipt.consumed;
        const good = answer.ok && !(answer.sent ?? []).some(isNobody);
        const sent = (answer.sent ?? []).slice(0, 20).map((it) => h("div", {}, `${it.to}: `, it.error ? h("span", { class: "bad" }, it.error)
          : isNobody(it) ? h("span", { class: "bad" }, "received by nobody") : it.receipt ? `received by ${it.receipt.received}${it.receipt.pending ? `, later by ${it.receipt.pending}` : ""}${it.receipt.failed ? `, ${it.receipt.failed} failed` : ""}` : it.post !== null && it.post !== undefined ? "posted" : "",
          it.trace !== null && it.trace !== undefined ? [" ", link(`cause/${it.trace}`, `what it led to (#${it.trace})`)] : null));
        log.prepend(h("li", {}, h("code", {}, line), h("div", { class: good ? "good" : "bad" }, h("pre", {}, answer.text)), sent));
        if (answer.ok) input.value = "";
        complete();
      } catch (error) { trouble(error); log.prepend(h("li", {}, h("code", {}, line), h("div", { class: "bad" }, error.message))); }
    });
    complete();
    return { poll: () => {}, heard: () => {} };
  },
};
