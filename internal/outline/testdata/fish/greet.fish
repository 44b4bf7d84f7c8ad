# function commented
function greet --description 'Says hello'
    echo "
function in_a_text
"
end

function __fish_complete-it -a name
    echo $name
end
