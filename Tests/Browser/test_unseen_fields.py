# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S16, S40: fields that nobody sees though their styles say that there is an edge, a ground or a hint; and covers that are no elements.

Beside each class there are the usual designs that are like it. They need no question.
"""

import pytest

from test_seen_fields import BARE, COVER, IN_DOUBT, PAGE, is_asked_about, is_in_doubt, it, needs_no_question, trusted  # noqa: F401

WHITE = "url(\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='300' height='100'%3E%3Crect width='300' height='100' fill='white'/%3E%3C/svg%3E\")"
NONE = "border: 0; outline: 0; box-shadow: none;"
STRIPS = "".join(f'<i class="strip" style="position: absolute; background: #fff; pointer-events: none; {where}"></i>' for where in (
    "left: -1px; top: -1px; width: 202px; height: 4px", "left: -1px; top: 33px; width: 202px; height: 4px",
    "left: -1px; top: -1px; width: 4px; height: 38px", "left: 197px; top: -1px; width: 4px; height: 38px"))
FLAT = "#password {border: 2px solid #000; outline: 0; background: #fff; color: #222}"
OWN_WHITE = "#password {position: relative; " + NONE + " background: #fff; color: #222}"
OWN_BLACK = "#password {position: relative; " + NONE + " background: #000; color: #fff}"

#: What a page does to the field: style, elements beside it, script.
UNSEEN = {

    # edges that are cut or covered
    "edges cut by what is around": (FLAT + "#place {overflow: hidden; width: 194px; height: 30px} #password {margin: -3px}", "", ""),
    "edges cut by overflow clip": (FLAT + "#place {overflow: clip; width: 194px; height: 30px} #password {margin: -3px}", "", ""),
    "edges cut by contain paint": (FLAT + "#place {contain: paint; width: 194px; height: 30px} #password {margin: -3px}", "", ""),
    "edges covered by strips": (FLAT, STRIPS, ""),
    "edge covered by an own outline": ("#password {border: 2px solid #000; outline: 2px solid #fff; outline-offset: -2px; background: #fff; color: #222}", "", ""),
    "edge covered by near shadows": (FLAT, "".join(
        f'<i style="position: absolute; pointer-events: none; background: #fff; box-shadow: 0 0 0 3px #fff; {where}"></i>' for where in (
            "left: -3px; top: -3px; width: 206px; height: 2px", "left: -3px; top: 37px; width: 206px; height: 2px",
            "left: -3px; top: 0; width: 2px; height: 38px", "left: 201px; top: 0; width: 2px; height: 38px")), ""),
    "inset shadow below another": ("#password {" + NONE + " background: #fff; color: #222; box-shadow: inset 0 0 0 3px #fff, inset 0 0 0 3px #000}", "", ""),
    "shadow below another": ("#password {" + NONE + " background: #fff; color: #222; box-shadow: 0 0 0 3px #fff, 0 0 0 3px #000}", "", ""),
    "faint edge of one side": ("#password {" + NONE + " background: #fff; color: #222; border-left: 1px solid #f9f9f9}", "", ""),
    # grounds that are not what styles say
    "opaque on a layer of its colour": ("#under {position: absolute; left: -60px; top: -60px; width: 400px; height: 200px; background: #000}" + OWN_BLACK,
                                        '', "document.querySelector('#place').insertAdjacentHTML('afterbegin', '<div id=under></div>')"),
    "opaque on a fixed layer of its colour": ("#under {position: fixed; inset: 0; background: #000; z-index: -1}" + "body {background: none !important} html {background: #fff}" + OWN_BLACK,
                                              '', "document.body.insertAdjacentHTML('beforeend', '<div id=under></div>')"),
    "body that is not the ground": ("html {background: #000} body {background: #fff; width: 1px; height: 1px}" + OWN_BLACK, "", ""),
    "sixteen stops and one more": ("form {background: linear-gradient(" + "#000 0 0, " * 16 + "#fff 0 100%)}" + OWN_WHITE, "", ""),
    "between two stops": ("form {background: linear-gradient(#000 -100000px, #fff 100000px)} #password {" + NONE + " background: rgb(128 128 128); color: #fff}", "", ""),
    "blended grounds": ("form {background: linear-gradient(#fff, #fff) #000; background-blend-mode: multiply}" + OWN_BLACK, "", ""),
    "own blended grounds": ("#password {" + NONE + " background: linear-gradient(#000, #000) #fff; background-blend-mode: screen; color: #fff}", "", ""),
    "ground of what is not drawn": ("#place {visibility: hidden; background: #000} #password {visibility: visible; " + NONE + " background: #fff; color: #222}", "", ""),
    "edge of what is not drawn": (BARE % "" + "#place {visibility: hidden; border: 1px solid #000} #password {visibility: visible}", "", ""),
    "ground by a backdrop filter around it": ("form {backdrop-filter: invert(1)}" + OWN_BLACK, "", ""),
    "own backdrop filter": ("#password {" + NONE + " background: rgb(0 0 0 / 0.1); backdrop-filter: brightness(0) invert(1) brightness(1.2); color: #222} form {background: #e6e6e6} ", "", ""),
    "inline box whose ground is elsewhere": (OWN_WHITE + "#place > span {background: #000; font-size: 1px}", "", "const s = document.createElement('span'), d = document.createElement('div'); d.append(document.querySelector('#password')); s.append(d); document.querySelector('#place').append(s)"),
    "small pictures all over the field": ("#password {" + NONE + " color: #fff; background: " + ", ".join(f"linear-gradient(#fff, #fff) no-repeat {x}px 0 / 48px 48px" for x in (0, 48, 96, 144, 192)) + ", #000}", "", ""),
    # hints that nobody reads
    "hint behind many spaces": (BARE % "", "", "document.querySelector('#password').placeholder = '\\u00a0'.repeat(300) + 'Password'"),
    "hint of letters without a shape": (BARE % "", "", "document.querySelector('#password').placeholder = '\\u3164\\u3164\\u115f'"),
    "hint moved by its margin": (BARE % "" + "::placeholder {margin-left: 900px !important; padding-left: 900px; color: #000}", "", "document.querySelector('#password').placeholder = 'Password'"),
    "hint clipped by a path": (BARE % "" + "::placeholder {clip-path: inset(50%); color: #000}", "", "document.querySelector('#password').placeholder = 'Password'"),
    "hint transformed away": (BARE % "" + "::placeholder {transform: translateX(900px); color: #000}", "", "document.querySelector('#password').placeholder = 'Password'"),
    "hint masked": (BARE % "" + "::placeholder {mask-image: linear-gradient(transparent, transparent); filter: opacity(0); color: #000}", "", "document.querySelector('#password').placeholder = 'Password'"),
    # what is thought to be an edge around it
    "dot in a corner": (BARE % "", '<i style="position: absolute; left: -3px; top: -3px; width: 2px; height: 2px; border: 1px solid #000; pointer-events: none"></i>', ""),
    "edge behind the page": (BARE % "" + "form {background: #fff; position: relative; z-index: 0} #place {background: #fff; z-index: 1} ", "<i style='position: absolute; z-index: -1; left: 1px; top: 1px; width: 190px; height: 28px; border: 1px solid #000; pointer-events: none'></i>",
                             "document.querySelector('#place').style.cssText = 'z-index: auto'"),
    "edge of a pseudo-element in the flow": (BARE % "" + "#place::before {content: ''; display: block; height: 0; width: 1px; margin-left: 5000px; border-top: 1px solid #000; margin-bottom: -1px}", "", ""),
    "edge of a relative pseudo-element": (BARE % "" + "#place::after {content: ''; position: relative; left: -5000px; border: 1px solid #000}", "", ""),
    # covers that the walk through the elements does not know
    "cover by a drawing's overflow": ("", '<svg width="1" height="1" style="position: absolute; left: -20px; top: -20px; overflow: visible; pointer-events: none"><rect width="300" height="100" fill="#fff"/></svg>', ""),
    "cover by small pictures": ("#over {background: " + ", ".join(f"linear-gradient(#fff, #fff) no-repeat {x}px {y}px / 48px 48px" for x in range(0, 260, 48) for y in (0, 48)) + "}", COVER, ""),
    "cover by an element's content": ("#over {background: none; content: " + WHITE + "}", COVER, ""),
    "cover by a pseudo-element's content": ("#place::after {content: " + WHITE + "; position: absolute; left: -20px; top: -20px; pointer-events: none}", "", ""),
    "cover by a first letter": ("#over {background: none; left: 0; top: 0; width: 0; height: 0; font: 16px/0 monospace; color: #fff} #over::first-letter {font-size: 500px}", '<div id="over">█</div>', ""),
    "cover by a line below words": ("#over {background: none; left: -20px; top: -26px; height: 20px; width: 260px; color: #fff; white-space: nowrap; overflow: visible; text-decoration: underline 70px #fff; text-underline-offset: 6px; text-decoration-skip-ink: none}",
                                    '<div id="over">' + "words " * 6 + "</div>", ""),
    "cover by a line between columns": ("#over {background: none; columns: 2; column-gap: 0; column-rule: 460px solid #fff; left: 235px; width: 2px; column-fill: auto; height: 90px; top: -20px}", '<div id="over"><br><br><br><br><br><br><br><br></div>', ""),
    "cover by a slider's thumb": ("#slide {appearance: none; position: absolute; left: 210px; top: 0; width: 1px; height: 1px; margin: 0; pointer-events: none} #slide::-webkit-slider-thumb {appearance: none; width: 300px; height: 100px; background: #fff; margin: -20px 0 0 -230px}", '<input id="slide" type="range">', ""),
    "cover by a file button's shadow": ("#file {position: absolute; left: 230px; top: 0; width: 1px; height: 1px; pointer-events: none; overflow: visible} #file::file-selector-button {box-shadow: 0 0 0 400px #fff; width: 1px; height: 1px; padding: 0; border: 0}", '<input id="file" type="file">', ""),
    "cover by an emphasis mark": ("#over {background: none; left: -20px; top: 34px; height: 20px; width: 260px; font-size: 59px; line-height: 1; color: #fff; white-space: nowrap; text-emphasis: '█' #fff}", '<div id="over">' + "........" + "</div>", ""),
    "cover by a details' content": ("details {position: absolute; left: 230px; top: 0; width: 1px; pointer-events: none} details::details-content {position: absolute; left: -250px; top: -20px; width: 300px; height: 100px; background: #fff}", "<details open><summary></summary></details>", ""),
    "cover by hair lines": ("", "".join(f'<b style="position: absolute; left: -3px; top: {y}px; width: 210px; height: 0; border-top: 4px solid #fff; pointer-events: none"></b>' for y in range(-3, 40, 4)), ""),
    "cover by a wide line of a table": ("table {position: absolute; left: -20px; top: -20px; pointer-events: none; border-spacing: 0} col {background: #fff}", "<table><col><tr><td style='width: 260px; height: 90px'></table>", ""),
}

#: Usual designs that are like one of those: style, elements beside the field, script.
SEEN = {
    # edges
    "edge and a ring by an outline": ("#password {border: 1px solid #ccc; outline: 2px solid #06c; outline-offset: 1px}", "", ""),
    "shadows of a library, the first of them empty": ("#password {border: 0; background: #fff; box-shadow: 0 0 #0000, 0 0 0 1px #d1d5db, 0 1px 2px #0001}", "", ""),
    "thin edge": ("#password {border: 1px solid #e5e7eb; background: #fff}", "", ""),
    "label with a ground over the upper edge": ("#password {border: 1px solid #999; background: #fff} label {position: absolute; left: 10px; top: -8px; background: #fff; padding: 0 4px; font-size: 12px; color: #444}", '<label for="password">Password</label>', ""),
    "button joined to it": ("#password {border: 1px solid #999; background: #fff} #eye {position: absolute; left: 199px; top: 0; width: 36px; height: 36px; border: 1px solid #999}", '<button type="button" id="eye">o</button>', ""),
    # grounds
    "edge on a layer behind the form": ("#under {position: fixed; inset: 0; background: #123; z-index: -1} #password {border: 1px solid #ccc; background: #fff}", '<div id="under"></div>', ""),
    "hint on a layer behind the form": ("#under {position: fixed; inset: 0; background: #123; z-index: -1} #password {border: 0; background: #fff}", '<div id="under"></div>', "document.querySelector('#password').placeholder = 'Password'"),
    "white on a gradient": ("form {background: linear-gradient(#224, #446)} #password {border: 0; background: #fff; color: #222}", "", ""),
    "glass around it": ("#place {background: #fff3; backdrop-filter: blur(8px)} #password {border: 1px solid #999; background: #fff}", "", ""),
    "small picture in it": ("#password {border: 1px solid #999; background: #fff linear-gradient(#06c, #06c) no-repeat 8px 10px / 16px 16px}", "", ""),
    # hints
    "hint of a colour and a size": (BARE % "" + "::placeholder {color: #777; font-size: 14px; opacity: 1}", "", "document.querySelector('#password').placeholder = 'Your password'"),
    "hint in another script": (BARE % "", "", "document.querySelector('#password').placeholder = 'گذرواژه\u200cی شما'"),
    # edges around it
    "line of a library below it": (BARE % "" + "#bar {position: absolute; left: 0; right: 0; bottom: 0; height: 2px; background: #36c}", '<span id="bar"></span>', ""),
    # covers
    "label that floats, in a form that is nearly opaque": ("form {opacity: 0.97} label {position: absolute; left: 10px; top: 8px; color: #666; pointer-events: none}", '<label for="password">Password</label>', ""),
    "drawing of an eye": ("#eye {position: absolute; right: 6px; top: 6px; pointer-events: none}", '<svg id="eye" width="24" height="24"><circle cx="12" cy="12" r="8" fill="none" stroke="#444"/><circle cx="12" cy="12" r="3"/></svg>', ""),
}


@pytest.mark.attack
@pytest.mark.parametrize("name", UNSEEN)
def test_S16_S40_field_that_only_seems_to_be_seen_is_asked_about_outside(it, site, name):
    it.open(site.page("/newsletter", PAGE % UNSEEN[name]))
    it.bar.arm()
    is_asked_about(it)


@pytest.mark.parametrize("name", [pytest.param(name, marks=[IN_DOUBT] if is_in_doubt(name) else []) for name in SEEN])
def test_S40_usual_design_that_is_like_one_needs_no_question(it, site, name):
    it.open(site.page("/usual", (PAGE % SEEN[name]).replace("Newsletter", "Sign in")))
    it.bar.arm()
    needs_no_question(it)
