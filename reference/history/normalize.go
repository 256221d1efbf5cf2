package history

import (
	"crypto/sha1"
	"fmt"
	"slices"

	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// The item types that are calls and outputs of tools, and the one that holds a generated image.
const (
	functionCall        = "function_call"
	localShellCall      = "local_shell_call"
	customToolCall      = "custom_tool_call"
	toolSearchCall      = "tool_search_call"
	functionOutput      = "function_call_output"
	customToolOutput    = "custom_tool_call_output"
	toolSearchOutput    = "tool_search_output"
	imageGenerationCall = "image_generation_call"
)

// outputOf maps each type of call to the type of its output. A local shell call is answered by a
// function output; apart from that a call and an output of different kinds never belong together,
// whatever their call ids (HIS-21, HIS-23).
var outputOf = map[string]string{
	functionCall:   functionOutput,
	localShellCall: functionOutput,
	customToolCall: customToolOutput,
	toolSearchCall: toolSearchOutput,
}

// A medium is what a model may be unable to read: the modality that it then lacks, the content
// type, and the text and content kind that stand in for a content item of it (HIS-25, DET-131).
type medium struct{ modality, contentType, notice, kind string }

var (
	image = medium{"image", item.InputImage, "image content omitted because you do not support image input", "images.unsupported"}
	audio = medium{"audio", item.InputAudio, "audio content omitted because you do not support audio input", "audio.unsupported"}
)

// Normalize returns the history as it goes to a model that reads the modalities ("text", "image",
// "audio"): each call has an output, each output a call, and no medium is left that the model does
// not read. It does these in this order, and doing it again changes nothing (HIS-20).
func Normalize(items []item.Item, modalities []string) []item.Item {
	items = addMissingOutputs(items)
	items = removeOrphanOutputs(items)
	if !slices.Contains(modalities, image.modality) {
		items = withoutMedium(items, image)
	}
	if !slices.Contains(modalities, audio.modality) {
		items = withoutMedium(items, audio)
	}
	return items
}

// A callKey is what a call and its output have in common.
type callKey struct{ outputType, callID string }

// keyOfCall returns the key of a call, false for every other item and for a call without call id.
func keyOfCall(it item.Item) (callKey, bool) {
	outputType, isCall := outputOf[it.Type()]
	callID, hasID := it.GetText("call_id")
	return callKey{outputType, callID}, isCall && hasID
}

// keyOfOutput returns the key of an output, false for every other item and for an output without
// call id.
func keyOfOutput(it item.Item) (callKey, bool) {
	switch it.Type() {
	case functionOutput, customToolOutput, toolSearchOutput:
		callID, ok := it.GetText("call_id")
		return callKey{it.Type(), callID}, ok
	default:
		return callKey{}, false
	}
}

// keys returns the set of keys that a key function finds in the items.
func keys(items []item.Item, keyOf func(item.Item) (callKey, bool)) map[callKey]bool {
	found := map[callKey]bool{}
	for _, it := range items {
		if key, ok := keyOf(it); ok {
			found[key] = true
		}
	}
	return found
}

// addMissingOutputs puts an output right after each call that has none anywhere, before it
// included (HIS-21).
func addMissingOutputs(items []item.Item) []item.Item {
	answered := keys(items, keyOfOutput)
	complete := make([]item.Item, 0, len(items))
	for _, it := range items {
		complete = append(complete, it)
		if key, ok := keyOfCall(it); ok && !answered[key] {
			complete = append(complete, missingOutput(it, key))
		}
	}
	return complete
}

// missingOutput returns the output that stands for one that never came (HIS-21).
func missingOutput(call item.Item, key callKey) item.Item {
	members := []jsonvalue.Member{jsonvalue.Field("type", jsonvalue.OfString(key.outputType))}
	if id, ok := outputID(call, key.outputType); ok {
		members = append(members, jsonvalue.Field("id", jsonvalue.OfString(id)))
	}
	members = append(members, jsonvalue.Field("call_id", jsonvalue.OfString(key.callID)))
	if key.outputType == toolSearchOutput {
		members = append(members,
			jsonvalue.Field("status", jsonvalue.OfString("completed")),
			jsonvalue.Field("execution", jsonvalue.OfString("client")),
			jsonvalue.Field("tools", jsonvalue.OfArray()))
	} else {
		members = append(members, jsonvalue.Field("output", jsonvalue.OfString("aborted")))
	}
	return item.FromValue(jsonvalue.OfObject(members...))
}

// outputIDPrefix maps each type of output to the prefix of its item ids.
var outputIDPrefix = map[string]string{functionOutput: "fco", customToolOutput: "ctco", toolSearchOutput: "tso"}

// outputIDs is the namespace of the ids that outputID makes (HIS-22).
var outputIDs = [16]byte{0x90, 0xd3, 0x8d, 0x3e, 0x6a, 0x5b, 0x4d, 0x52, 0xbf, 0xe2, 0x2f, 0x1e, 0x63, 0x4b, 0xfa, 0xc4}

// outputID returns the item id of an added output. It depends on the item id of the call alone, so
// that each prompt repeats it; false when the call has none, or an empty one (HIS-22).
func outputID(call item.Item, outputType string) (string, bool) {
	callItemID, _ := call.GetText("id")
	if callItemID == "" {
		return "", false
	}
	prefix := outputIDPrefix[outputType]
	return prefix + "_" + uuid5(outputIDs, prefix+":"+callItemID), true
}

// uuid5 returns the version-5 UUID of a name in a namespace (RFC 9562, section 5.5).
func uuid5(namespace [16]byte, name string) string {
	sum := sha1.Sum(append(namespace[:], name...))
	u := sum[:16]
	u[6] = u[6]&0x0f | 0x50 // version
	u[8] = u[8]&0x3f | 0x80 // variant
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

// removeOrphanOutputs removes the outputs whose call is nowhere. Outputs without call id stay, and
// so do search outputs that the server executed (HIS-23).
func removeOrphanOutputs(items []item.Item) []item.Item {
	called := keys(items, keyOfCall)
	return slices.DeleteFunc(items, func(it item.Item) bool {
		key, ok := keyOfOutput(it)
		if !ok || called[key] {
			return false
		}
		execution, _ := it.GetText("execution")
		return key.outputType != toolSearchOutput || execution != "server"
	})
}

// withoutMedium replaces the content items of a medium in messages and in structured outputs by a
// text, and empties generated images, whose call stays (HIS-25).
func withoutMedium(items []item.Item, m medium) []item.Item {
	stripped := make([]item.Item, len(items))
	for i, it := range items {
		switch {
		case it.Type() == item.TypeMessage:
			it = it.ReplaceContents(func(c item.Content) (item.Content, string, bool) {
				return item.Text(m.notice), m.kind, c.Type() == m.contentType
			})
		case it.Type() == functionOutput || it.Type() == customToolOutput:
			it = withoutMediumInOutput(it, m)
		case it.Type() == imageGenerationCall && m == image:
			it = it.With("result", jsonvalue.OfString(""))
		}
		stripped[i] = it
	}
	return stripped
}

// withoutMediumInOutput does so in an output that is an array of content items; one that is a text
// stays.
func withoutMediumInOutput(it item.Item, m medium) item.Item {
	output, _ := it.Get("output")
	if output.Kind() != jsonvalue.Array {
		return it
	}
	contents := make([]jsonvalue.Value, len(output.Elements()))
	for i, content := range output.Elements() {
		if contentType, _ := content.GetText("type"); contentType == m.contentType {
			content = item.Text(m.notice).Value()
		}
		contents[i] = content
	}
	return it.With("output", jsonvalue.OfArray(contents...))
}
