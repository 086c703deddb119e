// Licensed under the MIT License. See LICENSE.

/// Collects forms and text while a page is parsed.
///
/// Tags may be missing or out of order: a nested form is ignored, and an unclosed element ends with its form.
struct HTMLPageBuilder {
    private struct OpenSelect {
        let name: String
        var current: (value: String?, text: String, isSelected: Bool)?
        var first: String?
        var selected: String?

        mutating func closeOption() {
            guard let option = current else { return }
            let value = option.value ?? option.text.collapsingWhiteSpace
            first = first ?? value
            if option.isSelected { selected = value }
            current = nil
        }
    }

    private(set) var title = ""
    private(set) var text = ""
    private(set) var forms: [HTMLForm] = []

    private var form: HTMLForm?
    private var button: HTMLForm.Button?
    private var select: OpenSelect?
    private var textarea: (name: String?, value: String)?
    private var rawElement: String?

    mutating func add(_ token: HTMLToken) {
        switch token {
        case .start(let name, let attributes): open(name, attributes: attributes)
        case .end(let name): close(name)
        case .text(let text): add(text)
        }
    }

    mutating func closeForm() {
        close("button")
        close("textarea")
        close("select")
        if let form { forms.append(form) }
        form = nil
    }

    private mutating func open(_ name: String, attributes: [String: String]) {
        let isEnabled = attributes["disabled"] == nil
        switch name {
        case "title", "script", "style":
            rawElement = name
        case "form" where form == nil:
            let method: HTMLForm.Method = attributes["method"]?.lowercased() == "post" ? .post : .get
            form = HTMLForm(action: attributes["action"] ?? "", method: method)
        case "input" where isEnabled:
            addInput(attributes)
        case "button" where isEnabled:
            close("button")
            guard attributes["type", default: "submit"].lowercased() == "submit" else { return }
            button = HTMLForm.Button(
                name: attributes["name"],
                value: attributes["value"] ?? "",
                label: "",
                action: attributes["formaction"]
            )
        case "textarea":
            textarea = (isEnabled ? attributes["name"] : nil, "")
        case "select":
            close("select")
            select = attributes["name"].flatMap { isEnabled ? OpenSelect(name: $0) : nil }
        case "option":
            select?.closeOption()
            if isEnabled { select?.current = (attributes["value"], "", attributes["selected"] != nil) }
        default:
            text += " "
        }
    }

    private mutating func addInput(_ attributes: [String: String]) {
        let name = attributes["name"]
        let value = attributes["value"]
        switch attributes["type", default: "text"].lowercased() {
        case "submit", "image":
            let label = value ?? ""
            let action = attributes["formaction"]
            form?.buttons.append(HTMLForm.Button(name: name, value: label, label: label, action: action))
        case "button", "reset", "file":
            break
        case "checkbox", "radio":
            guard let name, !name.isEmpty, attributes["checked"] != nil else { return }
            form?.fields.append(HTMLForm.Field(name: name, value: value ?? "on"))
        case let type:
            guard let name, !name.isEmpty else { return }
            // A read-only field is meant for password managers; a user cannot type into it either.
            let isClosed = type == "hidden" || attributes["readonly"] != nil
            form?.fields.append(HTMLForm.Field(name: name, value: value ?? "", isHidden: isClosed))
        }
    }

    private mutating func close(_ name: String) {
        switch name {
        case "title", "script", "style":
            rawElement = nil
        case "form":
            closeForm()
        case "button":
            if var button {
                button.label = button.label.collapsingWhiteSpace
                form?.buttons.append(button)
            }
            button = nil
        case "textarea":
            if let textarea, let name = textarea.name, !name.isEmpty {
                form?.fields.append(HTMLForm.Field(name: name, value: textarea.value))
            }
            textarea = nil
        case "option":
            select?.closeOption()
        case "select":
            select?.closeOption()
            if let select, let value = select.selected ?? select.first, !select.name.isEmpty {
                form?.fields.append(HTMLForm.Field(name: select.name, value: value))
            }
            select = nil
        default:
            text += " "
        }
    }

    private mutating func add(_ piece: String) {
        if textarea != nil {
            // HTML §13.1.2.5: a line break immediately after the start tag is not part of the value.
            let isFirst = textarea?.value.isEmpty == true
            textarea?.value += isFirst && piece.first?.isNewline == true ? String(piece.dropFirst()) : piece
            return
        }
        switch rawElement {
        case "title": title += piece
        case .some: break
        case nil:
            button?.label += piece
            select?.current?.text += piece
            text += piece
        }
    }
}
